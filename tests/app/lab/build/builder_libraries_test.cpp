// SPDX-License-Identifier: MIT
// Lessons that need more than the driver: the runtime library, NVRTC, kernels in a .cu file; on the embedded
// toolkit, and with NVIDIA's where a real driver is chosen.
#include "build/toolchain.hpp"
#include "fixture.hpp"

namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

constexpr const char* kKernel = R"(#include <cstdio>
#include <concepts>
#include <cuda_runtime.h>
template <std::integral T> __global__ void twice(T* at) { *at *= 2; }
int main() {
  int *at = nullptr, value = 21;
  cudaMalloc(&at, sizeof value);
  cudaMemcpy(at, &value, sizeof value, cudaMemcpyDefault);
  twice<<<1, 1>>>(at);
  cudaMemcpy(&value, at, sizeof value, cudaMemcpyDefault);
  std::printf("%d\n", value);
  return cudaFree(at);
}
)";

class BuilderLibraries : public lab_test::Programs {
 protected:
  lab::BuildResult build_kernels(const std::string& source) {
    folder.write("source/main.cu", source);
    lesson.sources = {"main.cu"};
    lesson.libraries = {"cudart"};
    return lab::build_lesson(lesson, lesson.folder, driver, installation);
  }
  auto run(const lab::BuildResult& built) {
    lab::RunRequest request;
    request.command = {built.program.string()};
    request.working_folder = request.source_folder = lesson.folder;
    request.driver = driver;
    request.limits.seconds = 120;
    return lab_test::Programs::run(request);
  }
  std::string run_and_read(const lab::BuildResult& built) {
    EXPECT_TRUE(built.ok) << built.output
                          << (built.problem ? built.problem->in(lab::Language::English) : std::string());
    if (!built.ok) return {};
    const auto session = run(built);
    return session ? lab_test::output(*session) : std::string();
  }
  lab_test::TemporaryFolder cache_folder;
  lab_test::Variable own_cache{"XDG_CACHE_HOME", cache_folder.path().string()};
};

// NVIDIA's toolkit as far as choosing looks at it.
void make_toolkit(const lab_test::TemporaryFolder& folder, bool with_nvrtc) {
  for (const char* file : {"include/cuda.h", "include/cuda_runtime.h", "lib64/libcudart.so", "bin/nvcc"})
    folder.write(file, "");
  if (with_nvrtc) folder.write("lib64/libnvrtc.so", "");
}

}  // namespace

TEST_F(BuilderLibraries, a_runtime_and_nvrtc_program_is_linked_and_finds_its_libraries) {
  lesson.libraries = {"cudart", "nvrtc"};
  const lab::BuildResult built = build(
      "#include <cstdio>\n#include <cuda_runtime.h>\n#include <nvrtc.h>\n"
      "int main() { int devices = 0, major = 0, minor = 0; cudaGetDeviceCount(&devices);\n"
      "  nvrtcVersion(&major, &minor); std::printf(\"%d %d\\n\", devices, major); }\n");
  EXPECT_EQ(run_and_read(built), std::to_string(driver.devices) + " 13\n");
  for (const char* part : {"-lcudart", "-lnvrtc", "-rpath"}) EXPECT_THAT(built.command, HasSubstr(part));
}

TEST_F(BuilderLibraries, a_program_that_needs_neither_is_linked_with_neither) {
  const lab::BuildResult built = build("#include \"check.hpp\"\nint main() { check(cuInit(0)); }\n");
  ASSERT_TRUE(built.ok) << built.output;
  EXPECT_THAT(built.command, testing::Not(HasSubstr("cudart")));
}

TEST_F(BuilderLibraries, kernels_in_a_cu_file_are_compiled_and_run) {
  const lab::BuildResult built = build_kernels(kKernel);
  EXPECT_EQ(run_and_read(built), "42\n");
  EXPECT_THAT(built.command, HasSubstr("cuda++"));
  EXPECT_TRUE(build_kernels(kKernel).cached);
}

TEST_F(BuilderLibraries, a_kernel_file_and_a_cpp_file_make_one_program) {
  folder.write("source/add.cpp",
               "#include <concepts>\n#include \"check.hpp\"\n"
               "int add(std::integral auto a) { return a + 1; }\nint two() { return add(1); }\n");
  folder.write("source/main.cu",
               "#include <cstdio>\nint two();\nint main() { std::printf(\"%d\\n\", two()); }\n");
  lesson.sources = {"main.cu", "add.cpp"};
  lesson.libraries = {"cudart"};
  EXPECT_EQ(run_and_read(lab::build_lesson(lesson, lesson.folder, driver, installation)), "2\n");
}

TEST_F(BuilderLibraries, a_mistake_in_a_kernel_is_named_by_file_and_line) {
  const lab::BuildResult built =
      build_kernels("__global__ void k(int* p) {\n  *p = missing;\n}\nint main() {}\n");
  EXPECT_FALSE(built.ok);
  ASSERT_FALSE(built.diagnostics.empty()) << built.output;
  EXPECT_EQ(built.diagnostics[0].file, "main.cu");
  EXPECT_EQ(built.diagnostics[0].line, 2);
}

TEST_F(BuilderLibraries, without_the_kernel_compiler_says_which_part_is_missing) {
  installation.embedded = folder.path() / "nowhere";
  const lab::BuildResult built = build_kernels(kKernel);
  ASSERT_TRUE(built.problem);
  lab_test::expect_in_both(*built.problem, "nowhere/bin/cuda++");
}

TEST_F(BuilderLibraries, a_real_driver_is_built_for_with_the_toolkit_that_is_there) {
  const lab_test::TemporaryFolder toolkit;
  driver.real = true;
  driver.include = toolkit.path() / "include";
  make_toolkit(toolkit, false);
  EXPECT_FALSE(lab::choose_toolkit(driver, installation).nvidia);  // not whole: ours serves
  EXPECT_EQ(lab::choose_toolkit(driver, installation).include, installation.embedded / "include");
  make_toolkit(toolkit, true);
  const lab::Toolkit chosen = lab::choose_toolkit(driver, installation);
  EXPECT_TRUE(chosen.nvidia);
  EXPECT_EQ(chosen.compiler, toolkit.path() / "bin/nvcc");
  EXPECT_EQ(chosen.library_folder, toolkit.path() / "lib64");
  driver.real = false;
  EXPECT_FALSE(lab::choose_toolkit(driver, installation).nvidia);
}

TEST_F(BuilderLibraries, nvcc_compiles_the_same_file_for_a_real_driver) {
  driver.real = true;
  const auto folders = lab::toolkit_include_folders();
  if (!folders.empty()) driver.include = folders.front();
  if (folders.empty() || !lab::choose_toolkit(driver, installation).nvidia)
    GTEST_SKIP() << "no CUDA Toolkit is installed here";
  const lab::BuildResult built = build_kernels(kKernel);
  EXPECT_TRUE(built.ok) << built.command << built.output;
  EXPECT_THAT(built.command, HasSubstr("nvcc"));
  const lab::BuildResult broken = build_kernels("int main() {\n  return missing;\n}\n");
  ASSERT_FALSE(broken.diagnostics.empty()) << broken.output;
  EXPECT_EQ(broken.diagnostics[0].line, 2);
}

namespace {

// A lesson with a library of its own in C: twice.c and twice.h, made into libtwice.so.
class OwnLibraries : public BuilderLibraries {
 protected:
  void SetUp() override {
    BuilderLibraries::SetUp();
    folder.write(
        "source/twice.h",
        "#include <cuda.h>\n#ifdef __cplusplus\nextern \"C\"\n#endif\nCUresult twice(int* count);\n");
    folder.write(
        "source/twice.c",
        "#include \"twice.h\"\nCUresult twice(int *new) {\n  CUresult result = cuDeviceGetCount(new);\n"
        "  *new *= 2;\n  return result;\n}\n");  // C: in C++ `new` is no name
    lesson.own_libraries = {{"twice", {"twice.c"}, "twice.h"}};
  }
  static constexpr const char* kMain =
      "#include \"check.hpp\"\n#include \"twice.h\"\nint main() { int n = 0; check(cuInit(0));\n"
      "  check(twice(&n)); std::printf(\"%d\\n\", n); }\n";
};

}  // namespace

TEST_F(OwnLibraries, a_c_library_is_made_beside_the_program_which_finds_it_there) {
  const lab::BuildResult built = build(kMain);
  EXPECT_EQ(run_and_read(built), std::to_string(2 * driver.devices) + "\n");
  EXPECT_TRUE(fs::exists(built.program.parent_path() / "libtwice.so"));
  for (const char* part : {"-o libtwice.so", "-ltwice", "$ORIGIN"})
    EXPECT_THAT(built.command, HasSubstr(part));
}

TEST_F(OwnLibraries, its_calls_are_traced_with_the_lines_of_its_source) {
  const lab::BuildResult built = build(kMain);
  ASSERT_TRUE(built.ok) << built.output;
  const auto session = run(built);
  ASSERT_TRUE(session);
  bool found = false;
  for (std::size_t i = 0; i < session->store().size(); ++i) {
    const trace::Event event = session->store().at(i);
    if (event.name != "cuDeviceGetCount") continue;
    found = true;
    EXPECT_EQ(event.file, "twice.c");
    EXPECT_EQ(event.line, 3u);
  }
  EXPECT_TRUE(found);
}

TEST_F(OwnLibraries, a_change_in_the_library_is_built_and_an_unchanged_one_is_not) {
  EXPECT_FALSE(build(kMain).cached);
  EXPECT_TRUE(build(kMain).cached);
  folder.write(
      "source/twice.c",
      "#include \"twice.h\"\nCUresult twice(int* count) {\n  *count = 99;\n  return CUDA_SUCCESS;\n}\n");
  const lab::BuildResult changed = build(kMain);
  EXPECT_FALSE(changed.cached);
  EXPECT_EQ(run_and_read(changed), "99\n");
}

TEST_F(OwnLibraries, a_mistake_in_it_is_named_by_file_and_line) {
  folder.write("source/twice.c",
               "#include \"twice.h\"\nCUresult twice(int* count) {\n  return missing;\n}\n");
  const lab::BuildResult built = build(kMain);
  EXPECT_FALSE(built.ok);
  ASSERT_FALSE(built.diagnostics.empty()) << built.output;
  EXPECT_EQ(built.diagnostics[0].file, "twice.c");
  EXPECT_EQ(built.diagnostics[0].line, 3);
}

TEST_F(OwnLibraries, a_file_of_it_that_is_gone_is_named) {
  fs::remove(lesson.folder / "twice.h");
  const lab::BuildResult built = build(kMain);
  ASSERT_TRUE(built.problem);
  lab_test::expect_in_both(*built.problem, "twice.h");
}

TEST_F(OwnLibraries, a_program_in_a_folder_below_sees_the_header) {
  for (const char* program : {"exercise/main.cpp", "exercise/predict/main.cpp"}) {
    folder.write(fs::path("source") / program, kMain);
    lesson.sources = {program};
    EXPECT_EQ(run_and_read(lab::build_lesson(lesson, lesson.folder, driver, installation)),
              std::to_string(2 * driver.devices) + "\n")
        << program;
  }
}
