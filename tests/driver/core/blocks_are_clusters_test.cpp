// SPDX-License-Identifier: MIT
// Kernels whose grid is given in clusters: in graphs, at the limit of a grid, and on a device that has no
// clusters. What a launch returns and computes is compared with an H200 in truth/ (blocks_are_clusters).
//
// A device is chosen for a process, so each test runs its program in a child; it returns 0 or where it ended.
#include <functional>

#include "support.hpp"

namespace {

const char* const kernels_of_clusters = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry clusters(.param .u64 out) .blocksareclusters .reqntid 32, 1, 1 .reqnctapercluster 2, 1, 1 {
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %nctaid.x; mov.u32 %r2, %cluster_nctarank; mad.lo.u32 %r3, %r1, 10, %r2;
  st.global.u32 [%rd1], %r3; ret;
}
.visible .entry tall(.param .u64 out) .blocksareclusters .reqntid 32, 1, 1 .reqnctapercluster 1, 2, 2 { ret; }
.visible .entry plain(.param .u64 out) {
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %nctaid.x; mov.u32 %r2, %cluster_nctarank; mad.lo.u32 %r3, %r1, 10, %r2;
  st.global.u32 [%rd1], %r3; ret;
}
)";

int end_of(const char* device, const std::function<int()>& program) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    setenv("DRIVERLAB_DEVICE", device, 1);
    CUcontext context = nullptr;
    if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&context, nullptr, 0, 0) != CUDA_SUCCESS) _exit(99);
    _exit(program());
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// The kernels, and a word for their result.
struct Code {
  CUmodule module = nullptr;
  CUdeviceptr out = 0;
  void* parameters[1] = {&out};
  Code() {
    EXPECT_OK(cuModuleLoadData(&module, kernels_of_clusters));
    EXPECT_OK(cuMemAlloc(&out, 64));
  }
  CUfunction kernel(const char* name) const {
    CUfunction found = nullptr;
    EXPECT_OK(cuModuleGetFunction(&found, module, name));
    return found;
  }
  CUDA_KERNEL_NODE_PARAMS node(const char* name, unsigned grid) {
    CUDA_KERNEL_NODE_PARAMS node{};
    node.func = kernel(name);
    node.gridDimX = grid;
    node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
    node.blockDimX = 32;
    node.kernelParams = parameters;
    return node;
  }
  // What a graph writes, and 0 if it cannot be run.
  int written_by(CUgraphExec graph) const {
    int word = 0;
    const bool ran = cuMemsetD32(out, 0, 1) == CUDA_SUCCESS &&
                     cuGraphLaunch(graph, nullptr) == CUDA_SUCCESS &&
                     cuMemcpyDtoH(&word, out, sizeof word) == CUDA_SUCCESS;
    return ran ? word : 0;
  }
};

constexpr int of_three_clusters = 6 * 10 + 2, of_five_clusters = 10 * 10 + 2, of_three_blocks = 3 * 10 + 1;

TEST(BlocksAreClusters, a_node_says_its_grid_as_the_program_gave_it) {
  EXPECT_EQ(0, end_of("h200", [] {
              Code code;
              CUgraph graph = nullptr;
              CUgraphNode node = nullptr;
              CUgraphExec runnable = nullptr;
              CUDA_KERNEL_NODE_PARAMS said = code.node("clusters", 3), got{};
              if (cuGraphCreate(&graph, 0) != CUDA_SUCCESS) return 1;
              if (cuGraphAddKernelNode(&node, graph, nullptr, 0, &said) != CUDA_SUCCESS) return 2;
              if (cuGraphKernelNodeGetParams(node, &got) != CUDA_SUCCESS) return 3;
              if (got.gridDimX != 3 || got.gridDimY != 1 || got.gridDimZ != 1) return 4;
              if (cuGraphInstantiate(&runnable, graph, 0) != CUDA_SUCCESS) return 5;
              if (code.written_by(runnable) != of_three_clusters) return 6;
              // What was read can be written back, and changes nothing.
              if (cuGraphKernelNodeSetParams(node, &got) != CUDA_SUCCESS) return 7;
              if (cuGraphKernelNodeGetParams(node, &got) != CUDA_SUCCESS || got.gridDimX != 3) return 8;
              said.gridDimX = 5;
              if (cuGraphExecKernelNodeSetParams(runnable, node, &said) != CUDA_SUCCESS) return 9;
              return code.written_by(runnable) == of_five_clusters ? 0 : 10;
            }));
}

TEST(BlocksAreClusters, a_captured_launch_says_its_grid_as_the_program_gave_it) {
  EXPECT_EQ(0, end_of("h200", [] {
              Code code;
              CUstream stream = nullptr;
              CUgraph graph = nullptr, copy = nullptr;
              CUgraphNode node = nullptr;
              std::size_t count = 1;
              CUgraphExec runnable = nullptr;
              CUDA_KERNEL_NODE_PARAMS got{};
              if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) return 1;
              if (cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL) != CUDA_SUCCESS) return 2;
              if (cuLaunchKernel(code.kernel("clusters"), 3, 1, 1, 32, 1, 1, 0, stream, code.parameters,
                                 nullptr) != CUDA_SUCCESS)
                return 3;
              if (cuStreamEndCapture(stream, &graph) != CUDA_SUCCESS) return 4;
              if (cuGraphClone(&copy, graph) != CUDA_SUCCESS) return 5;
              if (cuGraphGetNodes(copy, &node, &count) != CUDA_SUCCESS || count != 1) return 6;
              if (cuGraphKernelNodeGetParams(node, &got) != CUDA_SUCCESS || got.gridDimX != 3) return 7;
              if (cuGraphInstantiate(&runnable, copy, 0) != CUDA_SUCCESS) return 8;
              return code.written_by(runnable) == of_three_clusters ? 0 : 9;
            }));
}

// The grid of one is counted in blocks, and that of the other in clusters.
TEST(BlocksAreClusters, a_node_may_become_such_a_kernel_and_one_without_clusters_again) {
  EXPECT_EQ(
      0, end_of("h200", [] {
        Code code;
        CUgraph graph = nullptr;
        CUgraphNode node = nullptr;
        const auto run = [&] {
          CUgraphExec runnable = nullptr;
          return cuGraphInstantiate(&runnable, graph, 0) == CUDA_SUCCESS ? code.written_by(runnable) : 0;
        };
        CUDA_KERNEL_NODE_PARAMS plain = code.node("plain", 3), clusters = code.node("clusters", 3), got{};
        if (cuGraphCreate(&graph, 0) != CUDA_SUCCESS) return 1;
        if (cuGraphAddKernelNode(&node, graph, nullptr, 0, &plain) != CUDA_SUCCESS) return 2;
        if (run() != of_three_blocks) return 3;
        if (cuGraphKernelNodeSetParams(node, &clusters) != CUDA_SUCCESS) return 4;
        if (cuGraphKernelNodeGetParams(node, &got) != CUDA_SUCCESS || got.gridDimX != 3) return 5;
        if (run() != of_three_clusters) return 6;
        if (cuGraphKernelNodeSetParams(node, &plain) != CUDA_SUCCESS) return 7;
        if (cuGraphKernelNodeGetParams(node, &got) != CUDA_SUCCESS || got.gridDimX != 3) return 8;
        return run() == of_three_blocks ? 0 : 9;
      }));
}

TEST(BlocksAreClusters, a_grid_with_more_blocks_than_a_grid_may_have_is_refused) {
  EXPECT_EQ(0, end_of("h200", [] {
              Code code;
              const CUfunction clusters = code.kernel("clusters"), tall = code.kernel("tall");
              const auto launch = [&code](CUfunction kernel, unsigned x, unsigned y, unsigned z) {
                return cuLaunchKernel(kernel, x, y, z, 32, 1, 1, 0, nullptr, code.parameters, nullptr);
              };
              if (launch(clusters, 0x40000000, 1, 1) != CUDA_ERROR_INVALID_VALUE) return 1;
              if (launch(clusters, 0x7fffffff, 1, 1) != CUDA_ERROR_INVALID_VALUE) return 2;
              if (launch(tall, 1, 32768, 1) != CUDA_ERROR_INVALID_VALUE) return 3;
              if (launch(tall, 1, 1, 32768) != CUDA_ERROR_INVALID_VALUE) return 4;
              if (launch(tall, 1, 32767, 1) != CUDA_SUCCESS) return 5;
              if (launch(tall, 1, 1, 32767) != CUDA_SUCCESS) return 6;
              return cuCtxSynchronize() == CUDA_SUCCESS ? 0 : 7;
            }));
}

TEST(BlocksAreClusters, without_the_size_of_a_cluster_or_of_a_block_it_is_no_code) {
  EXPECT_EQ(0, end_of("h200", [] {
              const auto loaded = [](const std::string& target, const std::string& directives) {
                const std::string text = ".version 9.0\n.target " + target +
                                         "\n.address_size 64\n.visible .entry k() " + directives +
                                         " { ret; }\n";
                CUmodule module = nullptr;
                return cuModuleLoadData(&module, text.c_str());
              };
              const std::string threads = " .reqntid 32, 1, 1", cluster = " .reqnctapercluster 2, 1, 1";
              if (loaded("sm_90", ".blocksareclusters" + threads + cluster) != CUDA_SUCCESS) return 1;
              if (loaded("sm_90", cluster + threads + " .blocksareclusters") != CUDA_SUCCESS) return 2;
              if (loaded("sm_90", ".blocksareclusters") != CUDA_ERROR_INVALID_PTX) return 3;
              if (loaded("sm_90", ".blocksareclusters" + threads) != CUDA_ERROR_INVALID_PTX) return 4;
              if (loaded("sm_90", ".blocksareclusters" + cluster) != CUDA_ERROR_INVALID_PTX) return 5;
              if (loaded("sm_80", ".blocksareclusters" + threads) != CUDA_ERROR_INVALID_PTX) return 6;
              return 0;
            }));
}

TEST(BlocksAreClusters, a_device_without_clusters_does_not_take_the_code) {
  EXPECT_EQ(
      0, end_of("", [] {
        int clusters = -1;
        if (cuDeviceGetAttribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 0) != CUDA_SUCCESS) return 1;
        if (clusters != 0) return 2;
        CUmodule module = nullptr;
        return static_cast<int>(cuModuleLoadData(&module, kernels_of_clusters)) == CUDA_ERROR_INVALID_PTX ? 0
                                                                                                          : 3;
      }));
}

}  // namespace
