// SPDX-License-Identifier: MIT
// The parts of starting a run, without a workbench: which driver is used, and builds.
#include "bench_fixture.hpp"
#include "workbench/builds.hpp"
#include "workbench/driver_selection.hpp"

namespace {

class building_parts : public lab_model_test::BenchTest {
 protected:
  lab::Builds::Order order(const std::string& source) {
    put_lesson("01_first", source);
    lab::Builds::Order order;
    const auto lesson = lab::read_lesson(folder_ / "lessons/01_first");
    EXPECT_TRUE(lesson);
    if (lesson) order.lesson = *lesson;
    order.driver = lab::DriverChoice::Embedded;
    order.request.working_folder = order.request.source_folder = order.lesson.folder;
    return order;
  }
  lab::Builds::Finished finished() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (std::chrono::steady_clock::now() < until) {
      if (auto done = builds_.take()) return std::move(*done);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ADD_FAILURE() << "the build has not finished";
    return {};
  }

  lab::ProblemList problems_;
  lab::Builds builds_{problems_, std::make_shared<lab::Wake>()};
};

TEST_F(building_parts, a_build_that_succeeds_completes_the_request_of_its_run) {
  lab::Builds::Order one = order("int main() {}\n");
  one.hold = true;
  builds_.start(std::move(one), installation_);
  EXPECT_TRUE(builds_.building());
  EXPECT_FALSE(builds_.building_since(std::chrono::hours(1)));
  const auto done = finished();
  EXPECT_TRUE(done.ok);
  EXPECT_FALSE(done.failed);
  EXPECT_TRUE(done.hold);
  ASSERT_EQ(done.request.command.size(), 1u);
  EXPECT_EQ(done.request.info.driver, "embedded");
  EXPECT_FALSE(builds_.building());
  EXPECT_FALSE(builds_.take());  // once
  ASSERT_NE(builds_.result(), nullptr);
  builds_.forget();
  EXPECT_EQ(builds_.result(), nullptr);
}

TEST_F(building_parts, one_that_fails_says_so_until_the_next_one_begins) {
  builds_.start(order("no program\n"), installation_);
  const auto done = finished();
  EXPECT_FALSE(done.ok);
  EXPECT_TRUE(done.failed);
  EXPECT_TRUE(builds_.failed());
  builds_.start(order("int main() {}\n"), installation_);
  EXPECT_FALSE(builds_.failed());
  builds_.stop();
  EXPECT_FALSE(builds_.building());
  EXPECT_FALSE(builds_.take());  // it was stopped
}

TEST_F(building_parts, without_a_driver_nothing_is_built_and_a_problem_says_so) {
  builds_.start(order("int main() {}\n"), lab::Installation());
  const auto done = finished();
  EXPECT_FALSE(done.ok);
  EXPECT_FALSE(done.failed);
  EXPECT_EQ(problems_.all().size(), 1u);
  EXPECT_EQ(builds_.result(), nullptr);
}

TEST_F(building_parts, the_launcher_is_named_until_the_other_machine_names_its_driver) {
  lab::DriverSelection drivers(lab::Installation(), std::make_shared<lab::Wake>());
  drivers.choose(lab::DriverChoice::Embedded);
  EXPECT_EQ(drivers.description(), "");  // this installation has none
  drivers.set_launcher("ssh gpubox");
  EXPECT_EQ(drivers.description(), "ssh gpubox");
  drivers.note_remote("NVIDIA H200");
  drivers.set_launcher("ssh gpubox");  // the same one
  EXPECT_EQ(drivers.description(), "ssh gpubox · NVIDIA H200");
  drivers.set_launcher("ssh other");
  EXPECT_EQ(drivers.description(), "ssh other");
}

TEST_F(building_parts, that_the_real_driver_was_asked_is_told_once) {
  lab::DriverSelection drivers(installation_, std::make_shared<lab::Wake>());
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  bool told = false;
  while (!told && std::chrono::steady_clock::now() < until) {
    told = drivers.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_TRUE(told);
  EXPECT_FALSE(drivers.poll());
  drivers.choose(lab::DriverChoice::Embedded);
  EXPECT_NE(drivers.description().find("Embedded"), std::string::npos) << drivers.description();
}

}  // namespace
