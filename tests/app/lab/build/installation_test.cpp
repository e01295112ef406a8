// SPDX-License-Identifier: MIT
// Where the parts lie, and which driver is chosen. Drivers that misbehave are made here, from C.
#include "lab/installation.hpp"

#include "base/spawn.hpp"
#include "fixture.hpp"

namespace fs = std::filesystem;

namespace {

class Installation : public testing::Test {
 protected:
  void SetUp() override {
    auto found = lab::find_installation();
    ASSERT_TRUE(found) << found.error().in(lab::Language::English);
    parts = *found;
  }
  // A library with these C functions, at the path that a driver has.
  fs::path library(const std::string& name, const std::string& c) {
    const fs::path source = folder.write(name + "/a.c", c), made = folder.path() / name / "libcuda.so.1";
    const auto compiler = lab::find_program("cc");
    EXPECT_TRUE(compiler);
    const auto run = lab::run_to_end(
        {.arguments = {compiler->string(), "-w", "-shared", "-fPIC", source.string(), "-o", made.string()},
         .environment = lab::environment_with({})},
        {});
    EXPECT_EQ(run.status, 0) << run.output;
    return made;
  }
  lab::Problem problem_with(const fs::path& driver) {
    const lab_test::Variable variable("DRIVERLAB_REAL_LIBCUDA", driver.string());
    const auto chosen = lab::choose_driver(lab::DriverChoice::Real, parts);
    EXPECT_FALSE(chosen);
    return chosen ? lab::Problem{} : chosen.error();
  }
  static constexpr const char* kDriver =
      "int cuInit(unsigned f) { return INIT; }\n"
      "int cuDriverGetVersion(int* v) { *v = 12080; return 0; }\n"
      "int cuDeviceGetCount(int* n) { *n = COUNT; return 0; }\n"
      "int cuDeviceGet(int* d, int i) { *d = i; return 0; }\n"
      "int cuDeviceGetName(char* s, int n, int d) { __builtin_strcpy(s, \"Test GPU\"); return 0; }\n";
  static std::string driver(const std::string& init, const std::string& count) {
    return "#define INIT " + init + "\n#define COUNT " + count + "\n" + kDriver;
  }
  lab_test::TemporaryFolder folder;
  lab::Installation parts;
};

}  // namespace

TEST_F(Installation, the_build_tree_is_found_from_the_program) {
  EXPECT_TRUE(fs::exists(parts.lessons / "check.hpp"));
  EXPECT_TRUE(fs::exists(parts.assets / "strings"));
  EXPECT_TRUE(fs::exists(parts.tracer / "libcuda.so.1"));
  EXPECT_TRUE(fs::exists(parts.embedded / "lib/libcuda.so.1"));
  EXPECT_TRUE(fs::exists(parts.supervisor));
}

TEST_F(Installation, the_lab_counts_the_devices_that_the_embedded_driver_has) {
  for (const char* value : {"", "1", "8", "0", "9", "abc", "3x", " 3", "03", "-1"}) {
    const lab_test::Variable devices("DRIVERLAB_DEVICES", value);
    const auto probed = lab::probe_driver(parts.embedded / "lib/libcuda.so.1", parts);
    EXPECT_EQ(static_cast<std::size_t>(lab::embedded_devices()), probed.devices.size()) << value;
    const bool means_something = *value == '\0' || *value == '1' || *value == '8';
    EXPECT_EQ(lab::devices_misread().has_value(), !means_something) << value;
  }
}

TEST_F(Installation, the_lab_names_the_device_that_the_embedded_driver_has) {
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"", ""}, {"t4", "Tesla T4"}, {"a100", "NVIDIA A100-SXM4-40GB"}, {"T4", ""}, {"t4 ", ""}, {"t", ""}};
  for (const auto& [value, name] : cases) {
    const lab_test::Variable chosen("DRIVERLAB_DEVICE", value);
    const lab_test::Variable devices("DRIVERLAB_DEVICES", "1");
    EXPECT_EQ(lab::embedded_device(), name) << value;
    EXPECT_EQ(lab::device_misread().has_value(), name.empty() && *value != '\0') << value;
    const auto probed = lab::probe_driver(parts.embedded / "lib/libcuda.so.1", parts);
    EXPECT_EQ(probed.devices, std::vector<std::string>{name.empty() ? "Embedded GPU 0" : name}) << value;
    EXPECT_TRUE(probed.embedded) << value;
    const auto driver = lab::choose_driver(lab::DriverChoice::Embedded, parts);
    ASSERT_TRUE(driver);
    EXPECT_EQ(driver->description, name.empty() ? "Embedded, 1 device" : "Embedded, 1 device as " + name);
  }
}

TEST_F(Installation, the_embedded_driver_is_no_real_one_by_whatever_name_and_path) {
  const lab_test::Variable library("DRIVERLAB_REAL_LIBCUDA", (parts.embedded / "lib/libcuda.so.1").string());
  for (const char* value : {"", "a100"}) {
    const lab_test::Variable chosen("DRIVERLAB_DEVICE", value);
    EXPECT_FALSE(lab::choose_driver(lab::DriverChoice::Real, parts)) << value;
    const auto driver = lab::choose_driver(lab::DriverChoice::Auto, parts);
    ASSERT_TRUE(driver);
    EXPECT_FALSE(driver->real) << value;
  }
}

TEST_F(Installation, a_root_without_lessons_is_named) {
  const lab_test::Variable root("DRIVERLAB_ROOT", folder.path().string());
  const auto found = lab::find_installation();
  ASSERT_FALSE(found);
  lab_test::expect_in_both(found.error(), folder.path().string());
}

TEST_F(Installation, a_root_with_lessons_is_taken) {
  folder.write("lessons/a", "");
  folder.write("assets/a", "");
  const lab_test::Variable root("DRIVERLAB_ROOT", folder.path().string());
  const auto found = lab::find_installation();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lessons, folder.path() / "lessons");
  EXPECT_EQ(found->tracer, parts.tracer);
}

// Compilers run in other folders than the lab.
TEST_F(Installation, a_root_that_is_named_from_here_is_found_from_elsewhere) {
  folder.write("lessons/a", "");
  folder.write("assets/a", "");
  const fs::path from_here = fs::relative(folder.path());
  ASSERT_TRUE(from_here.is_relative());
  const lab_test::Variable root("DRIVERLAB_ROOT", from_here.string());
  const lab_test::Variable libraries("DRIVERLAB_LIBRARIES", from_here.string());
  const auto found = lab::find_installation();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lessons.lexically_normal(), folder.path() / "lessons");
  EXPECT_EQ(found->tracer.lexically_normal(), folder.path() / "trace");
}

TEST_F(Installation, the_embedded_driver_describes_itself) {
  const lab_test::Variable devices("DRIVERLAB_DEVICES", "3");
  const auto driver = lab::choose_driver(lab::DriverChoice::Embedded, parts);
  ASSERT_TRUE(driver);
  EXPECT_FALSE(driver->real);
  EXPECT_EQ(driver->devices, 3);
  EXPECT_EQ(driver->description, "Embedded, 3 devices");
}

TEST_F(Installation, an_embedded_driver_that_is_not_built_says_how_to_build_it) {
  parts.embedded = folder.path();
  const auto driver = lab::choose_driver(lab::DriverChoice::Embedded, parts);
  ASSERT_FALSE(driver);
  lab_test::expect_in_both(driver.error(), "`tools/lab`");
}

TEST_F(Installation, a_driver_with_a_gpu_is_chosen) {
  const lab_test::Variable variable("DRIVERLAB_REAL_LIBCUDA", library("good", driver("0", "2")).string());
  for (const auto choice : {lab::DriverChoice::Real, lab::DriverChoice::Auto}) {
    const auto chosen = lab::choose_driver(choice, parts);
    ASSERT_TRUE(chosen) << chosen.error().in(lab::Language::English);
    EXPECT_TRUE(chosen->real);
    EXPECT_EQ(chosen->devices, 2);
    EXPECT_EQ(chosen->description, "2 × Test GPU, CUDA 12.8");
  }
}

TEST_F(Installation, a_driver_without_a_gpu_is_not_chosen) {
  EXPECT_EQ(problem_with(library("none", driver("100", "0"))).key, lab::Text::RealDriverWithoutGpu);
  EXPECT_EQ(problem_with(library("zero", driver("0", "0"))).key, lab::Text::RealDriverWithoutGpu);
}

TEST_F(Installation, a_driver_that_refuses_says_with_which_number) {
  const lab::Problem problem = problem_with(library("refuses", driver("999", "1")));
  EXPECT_EQ(problem.key, lab::Text::RealDriverInitFailed);
  lab_test::expect_in_both(problem, "999");
}

TEST_F(Installation, a_driver_that_crashes_does_not_take_the_lab_with_it) {
  const lab::Problem problem = problem_with(library("crashes", driver("*(volatile int*)0", "1")));
  EXPECT_EQ(problem.key, lab::Text::RealDriverCrashed);
  lab_test::expect_in_both(problem, "11");
}

TEST_F(Installation, what_is_no_driver_is_named) {
  EXPECT_EQ(problem_with(folder.write("text/libcuda.so.1", "no library")).key,
            lab::Text::RealDriverUnloadable);
  EXPECT_EQ(problem_with(library("empty", "int nothing;")).key, lab::Text::RealDriverUnloadable);
  EXPECT_EQ(problem_with(folder.path() / "nowhere").key, lab::Text::RealDriverUnloadable);
}

TEST_F(Installation, our_own_driver_is_never_taken_for_a_real_one) {
  EXPECT_EQ(problem_with(parts.embedded / "lib/libcuda.so.1").key, lab::Text::RealDriverWithoutGpu);
  const lab_test::Variable path("LD_LIBRARY_PATH",
                                (parts.embedded / "lib").string() + ":" + parts.tracer.string());
  for (const fs::path& found : lab::real_driver_libraries(parts)) {
    EXPECT_NE(fs::canonical(found), fs::canonical(parts.embedded / "lib/libcuda.so.1"));
    EXPECT_NE(fs::canonical(found), fs::canonical(parts.tracer / "libcuda.so.1"));
  }
}

TEST_F(Installation, auto_falls_back_to_the_embedded_driver) {
  const lab_test::Variable variable("DRIVERLAB_REAL_LIBCUDA", library("gone", driver("100", "0")).string());
  const auto chosen = lab::choose_driver(lab::DriverChoice::Auto, parts);
  ASSERT_TRUE(chosen);
  EXPECT_FALSE(chosen->real);
}

TEST_F(Installation, only_three_words_name_a_driver) {
  EXPECT_EQ(lab::parse_driver("auto"), lab::DriverChoice::Auto);
  EXPECT_FALSE(lab::parse_driver("Real"));
  EXPECT_FALSE(lab::parse_driver(""));
}
