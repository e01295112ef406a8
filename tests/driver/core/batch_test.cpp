// SPDX-License-Identifier: MIT
// Batches of waits and writes as nodes of a graph: what a node keeps, what it does at a launch, and what is
// refused. What a stream does with them is in stream_test.cpp.
#include <atomic>

#include "support.hpp"

namespace {

class Batches : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    context_ = make_context();
    ASSERT_OK(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cuGraphCreate(&graph_, 0));
    ASSERT_OK(cuMemAllocHost(reinterpret_cast<void**>(&words_), 64));
    std::memset(words_, 0, 64);
  }
  void TearDown() override {
    std::atomic_ref(words_[0]).store(1);  // a launch that still waits ends
    if (executable_ != nullptr) {
      EXPECT_OK(cuGraphExecDestroy(executable_));
    }
    EXPECT_OK(cuGraphDestroy(graph_));
    DriverTest::TearDown();
  }

  CUdeviceptr address(int word) const { return reinterpret_cast<CUdeviceptr>(words_ + word); }
  CUstreamBatchMemOpParams write(int word, unsigned value) const {
    CUstreamBatchMemOpParams what{};
    what.writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, address(word), {.value = value}, 0, 0};
    return what;
  }
  CUstreamBatchMemOpParams wait(int word, unsigned value) const {
    CUstreamBatchMemOpParams what{};
    what.waitValue = {
        CU_STREAM_MEM_OP_WAIT_VALUE_32, address(word), {.value = value}, CU_STREAM_WAIT_VALUE_EQ, 0};
    return what;
  }
  CUDA_BATCH_MEM_OP_NODE_PARAMS batch(std::vector<CUstreamBatchMemOpParams>& what) const {
    return {context_, static_cast<unsigned>(what.size()), what.data(), 0};
  }
  void launch() {
    if (executable_ == nullptr) {
      ASSERT_OK(cuGraphInstantiate(&executable_, graph_, 0));
    }
    ASSERT_OK(cuGraphLaunch(executable_, stream_));
  }

  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
  unsigned* words_ = nullptr;
};

TEST_F(Batches, a_node_waits_and_then_writes_at_each_launch) {
  std::vector<CUstreamBatchMemOpParams> what{wait(0, 1), write(1, 42)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS said = batch(what);
  CUgraphNode node = nullptr;
  ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  what[1] = write(1, 7);  // the node has its own copy
  launch();
  EXPECT_RESULT(CUDA_ERROR_NOT_READY, cuStreamQuery(stream_));
  EXPECT_EQ(0u, words_[1]);
  std::atomic_ref(words_[0]).store(1);
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(42u, words_[1]);
}

TEST_F(Batches, what_a_node_was_given_can_be_read_and_changed) {
  std::vector<CUstreamBatchMemOpParams> what{write(1, 3), write(2, 4)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS said = batch(what);
  CUgraphNode node = nullptr;
  ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  ASSERT_OK(cuGraphNodeGetType(node, &type));
  EXPECT_EQ(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, type);
  CUDA_BATCH_MEM_OP_NODE_PARAMS found{};
  ASSERT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(context_, found.ctx);
  ASSERT_EQ(2u, found.count);
  EXPECT_EQ(address(2), found.paramArray[1].writeValue.address);
  what = {write(1, 5)};
  said = batch(what);
  ASSERT_OK(cuGraphBatchMemOpNodeSetParams(node, &said));
  ASSERT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(1u, found.count);
  launch();
  what = {write(1, 6)};
  said = batch(what);
  ASSERT_OK(cuGraphExecBatchMemOpNodeSetParams(executable_, node, &said));
  launch();
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(6u, words_[1]);
  ASSERT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(5u, found.paramArray[0].writeValue.value) << "the executable is a copy";
}

TEST_F(Batches, a_batch_that_a_captured_stream_is_given_becomes_one_node) {
  std::vector<CUstreamBatchMemOpParams> what{write(1, 8), write(2, 9)};
  ASSERT_OK(cuGraphDestroy(graph_));
  ASSERT_OK(cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(cuStreamBatchMemOp(stream_, 2, what.data(), 0));
  ASSERT_OK(cuStreamEndCapture(stream_, &graph_));
  CUgraphNode node = nullptr;
  std::size_t count = 1;
  ASSERT_OK(cuGraphGetNodes(graph_, &node, &count));
  ASSERT_EQ(1u, count);
  CUDA_BATCH_MEM_OP_NODE_PARAMS found{};
  ASSERT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(2u, found.count);
  EXPECT_EQ(0u, words_[2]);
  launch();
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(9u, words_[2]);
}

TEST_F(Batches, a_node_is_refused_what_a_stream_is_refused) {
  std::vector<CUstreamBatchMemOpParams> what{write(1, 8)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS said = batch(what);
  CUgraphNode node = nullptr;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, nullptr));
  what[0].operation = made_up<CUstreamBatchMemOpType>(99);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  what[0] = write(1, 8);
  what[0].writeValue.flags = CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream_, 1, what.data(), 0));
  what[0] = wait(1, 8);
  what[0].waitValue.flags |= CU_STREAM_WAIT_VALUE_FLUSH;
  EXPECT_RESULT(CUDA_ERROR_NOT_SUPPORTED, cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  said.ctx = nullptr;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  said.ctx = context_;
  what[0] = write(1, 8);
  what[0].writeValue.address += 1;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  CUgraphNode empty = nullptr;
  ASSERT_OK(cuGraphAddEmptyNode(&empty, graph_, nullptr, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(empty, &said));
}

TEST_F(Batches, an_address_that_is_none_is_found_at_the_launch) {
  std::vector<CUstreamBatchMemOpParams> what{write(1, 8)};
  what[0].writeValue.address = 8;
  CUDA_BATCH_MEM_OP_NODE_PARAMS said = batch(what);
  CUgraphNode node = nullptr;
  ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  ASSERT_OK(cuGraphInstantiate(&executable_, graph_, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(executable_, stream_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream_, 1, what.data(), 0));
}

TEST_F(Batches, an_executable_keeps_the_kinds_of_its_operations) {
  std::vector<CUstreamBatchMemOpParams> what{write(1, 8)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS said = batch(what);
  CUgraphNode node = nullptr;
  ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph_, nullptr, 0, &said));
  ASSERT_OK(cuGraphInstantiate(&executable_, graph_, 0));
  what[0] = wait(1, 8);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(executable_, node, &said));
  what = {write(1, 8), write(2, 8)};
  said = batch(what);
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(executable_, node, &said));
  ASSERT_OK(cuGraphBatchMemOpNodeSetParams(node, &said));
  CUgraphExecUpdateResultInfo result{};
  EXPECT_RESULT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(executable_, graph_, &result));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, result.result);
}

TEST_F(Batches, managed_memory_and_that_of_a_pool_are_refused) {
  CUdeviceptr managed = 0;
  CUdeviceptr pooled = 0;
  ASSERT_OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
  ASSERT_OK(cuMemAllocAsync(&pooled, 64, stream_));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream_, managed, 7, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream_, pooled, 7, 0));
  ASSERT_OK(cuMemFreeAsync(pooled, stream_));
  ASSERT_OK(cuMemFree(managed));
}

}  // namespace
