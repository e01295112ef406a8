// SPDX-License-Identifier: MIT
// Core dumps: what a failed kernel leaves, and who ends then.
//
// Each program is a child of its own: a driver that has failed stays failed.
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "support.hpp"

namespace {

constexpr const char* kernel = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry store(.param .u64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.u32 [%rd1], %r1; ret;
}
)";

class CoreDumps : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "core_dump_XXXXXX").string();
    ASSERT_NE(nullptr, mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file() const { return folder_ + "/core"; }
  std::string dump() const {
    std::ostringstream text;
    text << std::ifstream(file()).rdbuf();
    return text.str();
  }
  void enable() const {
    bool on = true;
    std::size_t size = sizeof on;
    std::string name = file();
    ASSERT_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &size));
    size = name.size() + 1;
    ASSERT_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, name.data(), &size));
  }
  static void set_flags(unsigned flags) {
    std::size_t size = sizeof flags;
    ASSERT_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags, &size));
  }
  // The status with which a child ends that does this and then lets a kernel fail.
  static int child_that_fails(const std::function<void()>& before, unsigned context_flags = 0,
                              CUdeviceptr nowhere = 0x40) {
    const pid_t child = fork();
    if (child == 0) {
      cuInit(0);
      before();
      CUcontext context = nullptr;
      CUmodule module = nullptr;
      CUfunction store = nullptr;
      void* parameters[] = {&nowhere};
      cuCtxCreate(&context, nullptr, context_flags, 0);
      cuModuleLoadData(&module, kernel);
      cuModuleGetFunction(&store, module, "store");
      cuLaunchKernel(store, 3, 2, 1, 32, 1, 1, 0, nullptr, parameters, nullptr);
      _exit(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS && !::testing::Test::HasFailure() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

 private:
  std::string folder_;
};

TEST_F(CoreDumps, the_file_says_which_kernel_failed_and_where) {
  const int status = child_that_fails([this] {
    enable();
    set_flags(CU_COREDUMP_SKIP_ABORT);
  });
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  const std::string text = dump();
  for (const char* const line :
       {"driverlab core dump 1\n", "\nerror: 700 CUDA_ERROR_ILLEGAL_ADDRESS", "\naddress: 0x40\n",
        "\nkernel: store\n", "\ngrid: 3 2 1\n", "\nblock: 32 1 1\n",
        "\nparameters: 40 00 00 00 00 00 00 00\n", ".visible .entry store"}) {
    EXPECT_NE(std::string::npos, text.find(line)) << line << "is not in:\n" << text;
  }
}

TEST_F(CoreDumps, a_null_pointer_is_an_address_and_one_that_no_machine_has_is_none) {
  const auto go_on = [this] {
    enable();
    set_flags(CU_COREDUMP_SKIP_ABORT);
  };
  child_that_fails(go_on, 0, 0);
  EXPECT_NE(std::string::npos, dump().find("\naddress: 0x0\n")) << dump();
  child_that_fails(go_on, 0, 0x3f80000000000000);
  EXPECT_NE(std::string::npos, dump().find("\nerror: 700 ")) << dump();
  EXPECT_EQ(std::string::npos, dump().find("\naddress:")) << dump();
}

TEST_F(CoreDumps, the_process_is_aborted_unless_that_is_skipped) {
  const int status = child_that_fails([this] { enable(); });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << status;
  EXPECT_FALSE(dump().empty());
}

TEST_F(CoreDumps, without_being_enabled_nothing_is_written) {
  const int status = child_that_fails([] {});
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(CoreDumps, light_flags_leave_out_code_and_parameters) {
  child_that_fails([this] {
    enable();
    set_flags(CU_COREDUMP_LIGHTWEIGHT_FLAGS);
  });
  EXPECT_NE(std::string::npos, dump().find("\nkernel: store\n"));
  EXPECT_EQ(std::string::npos, dump().find(".entry"));
  EXPECT_EQ(std::string::npos, dump().find("parameters:"));
}

TEST_F(CoreDumps, a_flag_of_the_context_enables_them_for_it) {
  const int status = child_that_fails(
      [this] {
        std::string name = file();
        std::size_t size = name.size() + 1;
        ASSERT_OK(cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, name.data(), &size));
      },
      CU_CTX_COREDUMP_ENABLE);
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_FALSE(dump().empty());
}

TEST_F(CoreDumps, the_environment_enables_them_too) {
  setenv("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "1", 1);
  setenv("CUDA_COREDUMP_FILE", (file() + ".%p").c_str(), 1);
  setenv("CUDA_COREDUMP_GENERATION_FLAGS", "skip_abort,skip_nonrelocated_elf_images", 1);
  const int status = child_that_fails([] {});
  for (const char* const name :
       {"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "CUDA_COREDUMP_FILE", "CUDA_COREDUMP_GENERATION_FLAGS"})
    unsetenv(name);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  const auto folder = std::filesystem::path(file()).parent_path();
  ASSERT_EQ(1, std::distance(std::filesystem::directory_iterator(folder), {}));
  const std::string name = std::filesystem::directory_iterator(folder)->path().filename().string();
  EXPECT_TRUE(name.starts_with("core.") && name != "core.%p") << name;
}

}  // namespace
