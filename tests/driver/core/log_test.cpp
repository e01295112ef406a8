// SPDX-License-Identifier: MIT
// The driver's log: which calls it notes, who hears of it, and what a dump holds.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support.hpp"

namespace {

class Logs : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    make_context();
    ASSERT_OK(cuLogsCurrent(&begin_, 0));
  }

  // What was logged since the test began, or since the last time.
  std::string dump() {
    std::string text(25600, '#');
    std::size_t size = text.size();
    EXPECT_OK(cuLogsDumpToMemory(&begin_, text.data(), &size, 0));
    text.resize(size);
    return text;
  }

  static void hear(void* data, CUlogLevel level, char* message, std::size_t length) {
    EXPECT_EQ(CU_LOG_LEVEL_ERROR, level);
    static_cast<std::vector<std::string>*>(data)->emplace_back(message, length);
  }

 private:
  CUlogIterator begin_ = 0;
};

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Logs, a_call_that_fails_is_noted_with_its_result_and_the_name_of_its_symbol) {
  cuMemFree(8);
  const std::string text = dump();
  EXPECT_NE(std::string::npos,
            text.find("[CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFree_v2\n"))
      << text;
  EXPECT_EQ('[', text[0]);
}

TEST_F(Logs, a_function_that_is_not_supported_says_why) {
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED, cuMulticastAddDevice(1, 0));
  EXPECT_EQ(CUDA_ERROR_NOT_SUPPORTED,
            cuMemGetHandleForAddressRange(nullptr, 0, 0, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0));
  const std::string text = dump();
  EXPECT_NE(std::string::npos, text.find("so there is no multicast object\n")) << text;
  EXPECT_NE(std::string::npos, text.find("DMA_BUF_SUPPORTED is 0")) << text;
}

TEST_F(Logs, the_reason_comes_before_the_result) {
  ASSERT_OK(cuCtxPopCurrent(nullptr));
  CUdevice device = 0;
  cuCtxGetDevice(&device);
  const std::string text = dump();
  const std::size_t reason = text.find("[E] No CUDA context is current to the calling thread\n");
  ASSERT_NE(std::string::npos, reason) << text;
  EXPECT_LT(reason, text.find("Returning 201 (CUDA_ERROR_INVALID_CONTEXT) from cuCtxGetDevice"));
}

TEST_F(Logs, a_call_that_succeeds_says_nothing) {
  allocate(64);
  EXPECT_EQ("", dump());
}

TEST_F(Logs, a_callback_hears_each_message_until_it_is_unregistered) {
  std::vector<std::string> heard;
  CUlogsCallbackHandle handle = nullptr;
  ASSERT_OK(cuLogsRegisterCallback(hear, &heard, &handle));
  cuMemFree(8);
  ASSERT_OK(cuLogsUnregisterCallback(handle));
  cuMemFree(8);
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemFree_v2", heard.back());
  EXPECT_EQ(heard.size(), lines_in(dump()) / 2);
}

TEST_F(Logs, a_callback_may_call_the_driver) {
  CUlogsCallbackHandle handle = nullptr;
  const auto call = [](void* data, CUlogLevel, char*, std::size_t) {
    ++*static_cast<int*>(data);
    cuMemFree(8);
  };
  int calls = 0;
  ASSERT_OK(cuLogsRegisterCallback(call, &calls, &handle));
  cuCtxGetDevice(nullptr);
  EXPECT_GT(calls, 0);
  ASSERT_OK(cuLogsUnregisterCallback(handle));
}

TEST_F(Logs, a_dump_begins_where_the_last_one_ended) {
  cuMemFree(8);
  EXPECT_NE("", dump());
  EXPECT_EQ("", dump());
  cuMemFree(8);
  EXPECT_NE("", dump());
}

TEST_F(Logs, a_file_gets_the_same_lines) {
  const std::string path = (std::filesystem::temp_directory_path() / "driver_log_test.txt").string();
  CUlogIterator place = 0;
  ASSERT_OK(cuLogsCurrent(&place, 0));
  cuMemFree(8);
  ASSERT_OK(cuLogsDumpToFile(&place, path.c_str(), 0));
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(dump(), text.str());
  std::filesystem::remove(path);
}

TEST_F(Logs, the_newest_hundred_lines_are_kept_and_a_dump_says_that_others_are_gone) {
  for (int i = 0; i < 150; ++i) cuMemFree(8);
  const std::string text = dump();
  EXPECT_EQ(0u, text.find("Log buffer has rolled over since the previous dump."));
  EXPECT_EQ(101u, lines_in(text));
}

TEST_F(Logs, a_buffer_gets_whole_lines_and_never_more_than_it_holds) {
  CUlogIterator place = 0;
  ASSERT_OK(cuLogsCurrent(&place, 0));
  cuMemFree(8);
  cuMemFree(8);
  const std::size_t line = dump().size() / 2;
  std::string text(2 * line, '#');
  std::size_t size = 2 * line;  // no room for the end of the text
  ASSERT_OK(cuLogsDumpToMemory(&place, text.data(), &size, 0));
  EXPECT_EQ(line, size);
  EXPECT_EQ('\0', text[line]);
  EXPECT_EQ('#', text[line + 1]);
  size = 10;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(&place, text.data(), &size, 0));
  EXPECT_EQ(0u, size);
}

TEST_F(Logs, wrong_arguments_are_refused_and_say_so) {
  char buffer[64];
  std::size_t size = sizeof buffer;
  CUlogIterator beyond = 1'000'000;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsRegisterCallback(nullptr, nullptr, nullptr));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsUnregisterCallback(nullptr));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsCurrent(nullptr, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(nullptr, nullptr, &size, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(nullptr, buffer, nullptr, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(&beyond, buffer, &size, 0));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToFile(nullptr, nullptr, 0));
  const std::string text = dump();
  EXPECT_NE(std::string::npos, text.find("[E] Iterator cannot be NULL\n")) << text;
  EXPECT_NE(std::string::npos, text.find("[E] CUlogIterator is beyond the end of the logs\n")) << text;
}

}  // namespace
