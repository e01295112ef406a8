// SPDX-License-Identifier: MIT
// No text of the window is cut or lies on another: every lesson at several of its moments, and everything
// that opens, at 100, 150 and 200 % in three themes and both languages.
//
// One test a lesson and language, so that they run beside each other. text_rules.hpp has the rules; that they
// can fail is said in text_rules_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "lab/teaching.hpp"
#include "stage.hpp"
#include "support/events.hpp"
#include "trace/recording.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;

// The same complaint at twenty moments is one, with the first place where it was raised.
class Complaints {
 public:
  void add(const std::vector<Complaint>& found, const std::string& when) {
    for (const Complaint& each : found) {
      Raised& raised = raised_[each.what + ": \"" + each.text + "\""];
      if (raised.times++ == 0) raised.first = each.where + ", " + when;
    }
  }
  std::string words() const {
    std::string words;
    for (const auto& [what, raised] : raised_)
      words += fmt::format("{}\n    {} times, first {}\n", what, raised.times, raised.first);
    return words;
  }

 private:
  struct Raised {
    std::size_t times = 0;
    std::string first;
  };
  std::map<std::string, Raised> raised_;
};

std::string name_of(lab::Language language) {
  return language == lab::Language::English ? "en" : "zh";
}

// Nothing yet, the first call, some on the way, what failed first and last, the end.
std::set<std::size_t> moments_of(lab::Workbench& bench) {
  const std::size_t calls = bench.store().calls();
  std::set<std::size_t> chosen = {0, std::min<std::size_t>(1, calls), calls};
  for (std::size_t part = 1; part < 6; ++part) chosen.insert(calls * part / 6);
  std::size_t failed = 0;
  for (std::size_t call = 0; call < calls && failed < 3; ++call) {
    if (bench.store().result_at(bench.store().event_of_call(call)) == 0) continue;
    chosen.insert(call + 1);
    ++failed;
  }
  return chosen;
}

void go_to(lab::Workbench& bench, std::size_t call) {
  if (call == 0)
    bench.jump(0);
  else
    bench.jump_to_call(call - 1);
}

class Lesson : public testing::TestWithParam<std::tuple<fs::path, lab::Language>> {};

TEST_P(Lesson, shows_every_text_whole) {
  const auto& [recording, language] = GetParam();
  Stage stage;
  stage.open_recording(recording);
  ASSERT_GT(stage.bench().store().calls(), 0u);
  Complaints found;
  for (const Look& look : every_look(language)) {
    stage.begin(look);
    for (const std::size_t call : moments_of(stage.bench())) {
      go_to(stage.bench(), call);
      for (int tab = 0; tab < 4; ++tab) {  // where panels share a place, each of them
        found.add(stage.complaints(), fmt::format("call {}, tab {}, {}", call, tab, look.words()));
        if (stage.shell().places().count("tab1") == 0) break;
        stage.press({Key::Tab, true});
      }
    }
  }
  EXPECT_TRUE(found.words().empty()) << found.words();
}

INSTANTIATE_TEST_SUITE_P(Each, Lesson,
                         testing::Combine(testing::ValuesIn(recordings()),
                                          testing::Values(lab::Language::English, lab::Language::Chinese)),
                         [](const auto& tested) {
                           return std::get<0>(tested.param).stem().string() + "_" +
                                  name_of(std::get<1>(tested.param));
                         });

// Where panels share a place it may be another's turn.
void show_exercise(Stage& stage) {
  for (int tab = 0; tab < 3 && stage.shell().places().count("side1") == 0; ++tab) {
    stage.press({Key::Tab, true});
    stage.draw();
  }
  ASSERT_TRUE(stage.click("side1"));
  stage.draw();
}

class Screen : public testing::TestWithParam<lab::Language> {
 protected:
  // Every look, with `show` done in a fresh window over the recording of lesson 4, or another.
  void in_every_look(const std::function<void(Stage&)>& show, bool recording = true,
                     const fs::path& file = GUI_RECORDINGS "/h200_05_context_stack.dlrec") {
    in_every_look_after_each({show}, recording, file);
  }
  // The same with several things done one after the other, each of them followed by a look at the texts.
  void in_every_look_after_each(const std::vector<std::function<void(Stage&)>>& steps, bool recording = true,
                                const fs::path& file = GUI_RECORDINGS "/h200_05_context_stack.dlrec") {
    Stage stage;
    if (recording) stage.open_recording(file);
    Complaints found;
    for (const Look& look : every_look(GetParam())) {
      stage.begin(look);
      stage.draw();
      for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i](stage);
        found.add(stage.complaints(), fmt::format("{}, step {}", look.words(), i + 1));
      }
    }
    EXPECT_TRUE(found.words().empty()) << found.words();
  }
};

// A program and a child that it started, each with a context, and memory in the child's.
fs::path record_two_processes() {
  support::Run run;
  run.other(trace::EventKind::ProcessStart, 0, "/home/student/parent", 4711);
  run.init();
  run.create(0xa0);
  run.other(trace::EventKind::ProcessStart, 0, "/home/student/child --device 1", 4712).process(1);
  run.init().process(1).thread(1);
  run.create(0xa0, 1).process(1).thread(1);
  run.allocate(0x7f0000000000, 4096).process(1).thread(1);
  run.call("cuMemAlloc").unwritten("dptr").in("bytesize", 16).result(201).process(1).thread(2);
  run.destroy(0xa0);
  run.other(trace::EventKind::ProcessEnd);
  trace::Store store;
  run.into(store);
  const fs::path path =
      fs::path(testing::TempDir()) / ("driverlab_two_processes_" + std::to_string(::getpid()) + ".dlrec");
  std::string error;
  auto writer = trace::RecordingWriter::create(path, {}, &error);
  EXPECT_TRUE(writer && writer->write(store, 0, store.size()) && writer->finish()) << error;
  return path;
}

TEST_P(Screen, a_run_of_two_processes_and_the_choice_between_them) {
  const fs::path file = record_two_processes();
  in_every_look(
      [](Stage& stage) {
        stage.bench().jump_to_call(5);
        EXPECT_EQ(stage.bench().shown_process(), 1u);
        const auto shows = [](const TextLog& log, const char* words) {
          return std::any_of(log.texts().begin(), log.texts().end(),
                             [words](const auto& text) { return text.text == words; });
        };
        const bool english = GetParam() == lab::Language::English;
        EXPECT_TRUE(shows(stage.draw(), english ? "process 1" : "进程 1"));
        if (stage.click("picture process")) {
          stage.point_at({-1e6f, -1e6f});
          EXPECT_EQ(stage.bench().shown_process(), 0u);
          EXPECT_TRUE(shows(stage.draw(), english ? "process 0" : "进程 0"));
        }
      },
      true, file);
  fs::remove(file);
}

TEST_P(Screen, before_a_lesson_is_opened) {
  in_every_look([](Stage&) {}, false);
}

TEST_P(Screen, a_lesson_before_its_first_run) {
  in_every_look([](Stage& stage) { stage.bench().open_lesson("05"); }, false);
}

TEST_P(Screen, the_list_of_lessons) {
  in_every_look([](Stage& stage) { stage.press({Key::O, true}); });
}

TEST_P(Screen, the_last_of_the_lessons) {
  in_every_look([](Stage& stage) {
    stage.press({Key::O, true});
    for (int i = 0; i < 40; ++i) stage.press({Key::Down});
  });
}

TEST_P(Screen, the_list_of_keys) {
  in_every_look([](Stage& stage) { stage.press({Key::F1}); });
}

TEST_P(Screen, the_choice_of_drivers) {
  in_every_look([](Stage& stage) { ASSERT_TRUE(stage.click("driver")); });
}

TEST_P(Screen, the_settings_of_appearance) {
  in_every_look([](Stage& stage) { ASSERT_TRUE(stage.click("look")); });
}

TEST_P(Screen, a_search_with_many_hits) {
  in_every_look([](Stage& stage) {
    stage.press({Key::F, true, true});
    stage.type("context");
  });
}

TEST_P(Screen, a_search_without_a_hit) {
  in_every_look([](Stage& stage) {
    stage.press({Key::F, true, true});
    stage.type("xyzzy");
  });
}

TEST_P(Screen, every_card_of_the_tour) {
  const auto next = [](Stage& stage) { stage.press({Key::Enter}); };
  in_every_look_after_each({[](Stage& stage) { stage.shell().start_tour(); }, next, next, next, next});
}

TEST_P(Screen, the_exercises_with_all_their_hints) {
  in_every_look_after_each({[](Stage& stage) {
                              stage.bench().open_lesson("05");
                              stage.draw();
                              show_exercise(stage);
                              while (stage.bench().hints_shown() < stage.bench().exercise()->hints.size())
                                stage.bench().show_hint();
                            },
                            [](Stage& stage) {
                              ASSERT_TRUE(stage.click("exercise:predict"));
                              while (stage.bench().hints_shown() < stage.bench().exercise()->hints.size())
                                stage.bench().show_hint();
                            }},
                           false);
}

TEST_P(Screen, the_solution_beside_the_students_text) {
  in_every_look(
      [](Stage& stage) {
        stage.bench().open_lesson("05");
        stage.draw();
        show_exercise(stage);
        ASSERT_TRUE(stage.click("exercise solution"));
      },
      false);
}

TEST_P(Screen, find_and_replace_in_the_code) {
  in_every_look(
      [](Stage& stage) {
        stage.bench().open_lesson("05");
        stage.draw();
        for (int page = 0; page < 3 && stage.shell().places().count("code") == 0; ++page)
          stage.press({Key::Tab, true}), stage.draw();
        ASSERT_TRUE(stage.click("code"));
        stage.press({Key::H, true});
        stage.type("cuCtx");
      },
      false);
}

TEST_P(Screen, a_problem_and_good_news) {
  in_every_look([](Stage& stage) {
    stage.shell().add_problem({lab::Text::LessonUnknown, {"a name that no lesson has"}});
    stage.shell().say({lab::Text::ExerciseExported, {"/a/folder/with/a/long/name/progress-2026-01-01.csv"}});
  });
}

TEST_P(Screen, the_question_about_text_that_could_not_be_saved) {
  const fs::path home =
      fs::path(testing::TempDir()) / ("driverlab_unkept_" + name_of(GetParam()) + std::to_string(::getpid()));
  ::setenv("XDG_DATA_HOME", home.c_str(), 1);
  const fs::path copies = home / "driverlab/workspace/05_context_stack";
  in_every_look(
      [&copies](Stage& stage) {
        if (stage.bench().lesson() == nullptr) stage.bench().open_lesson("05");
        fs::remove_all(copies);
        std::ofstream(copies) << "a file where a folder should be";
        stage.bench().set_file_text("main.cpp", "mine");
        stage.press({Key::Q, true});
        stage.draw();
        EXPECT_EQ(stage.shell().places().count("unkept stay"), 1u);
        EXPECT_FALSE(stage.shell().wants_quit());
      },
      false);
  ::unsetenv("XDG_DATA_HOME");
  fs::remove_all(home);
}

TEST_P(Screen, the_life_of_a_context) {
  in_every_look([](Stage& stage) {
    stage.bench().jump_to_call(20);
    const TextLog& log = stage.draw();
    ImVec2 at{-1, -1};
    for (const DrawnText& text : log.texts())
      if (text.text == "A" && text.window.find("picture") != std::string::npos &&
          text.seen.holds(text.box.from()))
        at = {text.box.x + 2, text.box.y + text.box.h / 2};
    if (at.x >= 0) stage.click(at);
    stage.point_at({-1e6f, -1e6f});
  });
}

TEST_P(Screen, each_panel_alone) {
  for (const Key key : {Key::M})
    for (const float x : {0.1f, 0.4f, 0.8f})
      in_every_look([key, x](Stage& stage) {
        stage.bench().jump_to_call(20);
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        stage.point_at({size.x * x, size.y * 0.4f});
        stage.draw();
        stage.press({key, true});
        stage.point_at({-1e6f, -1e6f});
      });
}

TEST_P(Screen, the_timeline_whole_and_close) {
  for (const char* const recording : {"/h200_19_streams_events.dlrec", "/h200_21_per_thread_stream.dlrec"})
    in_every_look_after_each({[](Stage& stage) {
                                stage.bench().jump_to_call(20);
                                stage.press({Key::F3});
                                stage.draw();
                                stage.draw();
                              },
                              [](Stage& stage) {
                                for (int i = 0; i < 4; ++i) {
                                  stage.click("timeline in");
                                  stage.draw();
                                }
                                stage.click("timeline clock");
                                stage.point_at({-1e6f, -1e6f});
                              },
                              [](Stage& stage) { stage.press({Key::F3}); }},
                             true, fs::path(GUI_RECORDINGS) += recording);
}

TEST_P(Screen, what_can_be_shared) {
  in_every_look([](Stage& stage) {
    stage.bench().jump_to_call(6);
    stage.draw();
    stage.press({Key::E, true});
  });
}

TEST_P(Screen, nothing_to_share_yet) {
  in_every_look([](Stage& stage) { stage.press({Key::E, true}); }, false);
}

TEST_P(Screen, another_machine_chosen_to_run_on) {
  in_every_look([](Stage& stage) {
    ASSERT_TRUE(stage.shell().open("remote"));
    stage.draw();
    stage.type("srun --partition=gpu --gres=gpu:1 --time=00:10:00 --pty");
  });
}

// The same run beside itself, and beside another, whose first divergence is said.
TEST_P(Screen, two_runs_beside_each_other) {
  for (const char* other : {"/h200_05_context_stack.dlrec", "/h200_06_threads.dlrec"})
    in_every_look([other](Stage& stage) {
      stage.bench().compare_with(std::string(GUI_RECORDINGS) + other);
      ASSERT_TRUE(stage.wait_while([&stage] { return stage.bench().pair() == nullptr; }));
      stage.bench().jump_to_call(8);
      stage.shell().compare_runs(true);
    });
}

// The page for the teacher, opened where it is not yet, at a lesson.
void show_teaching(Stage& stage, const std::string& lesson) {
  stage.bench().open_lesson(lesson);
  stage.draw();
  if (stage.shell().places().count("teaching page0") == 0) stage.press({Key::T, true, true});
  stage.draw();
  EXPECT_EQ(stage.shell().places().count("teaching 1"), 1u) << lesson;
}

TEST_P(Screen, the_page_for_the_teacher_of_every_lesson) {
  const OwnHome home;  // opening a lesson copies it
  std::vector<std::function<void(Stage&)>> steps;
  Stage course;
  for (const lab::Lesson& lesson : course.bench().catalogue().lessons)
    steps.emplace_back([slug = lesson.slug](Stage& stage) { show_teaching(stage, slug); });
  in_every_look_after_each(steps, false);
}

TEST_P(Screen, every_session_of_the_plan) {
  const OwnHome home;
  Stage course;
  const auto plan = lab::read_sessions(course.bench().catalogue());
  ASSERT_TRUE(plan && plan->size() > 1);
  std::vector<std::function<void(Stage&)>> steps;
  for (const lab::TeachingSession& session : *plan)
    steps.emplace_back([lesson = std::to_string(session.lessons.front())](Stage& stage) {
      show_teaching(stage, lesson);
      stage.press({Key::Tab});
    });
  in_every_look_after_each(steps, false);
}

// Every kind of question in the recordings, before it is answered and after.
TEST_P(Screen, a_question_and_what_became_of_it) {
  for (const char* file : {"/h200_05_context_stack.dlrec", "/h200_18_interop.dlrec"}) {
    Stage stage;
    stage.open_recording(std::string(GUI_RECORDINGS) + file);
    Complaints found;
    std::size_t call = 0, asked = 0;
    for (const Look& look :
         every_look(GetParam())) {  // each look with other questions, so that all come and none takes long
      stage.begin(look);
      stage.shell().settings().predict = true;
      stage.bench().set_predicting(true);
      for (int questions = 0; questions < 2 && call < stage.bench().store().calls(); ++call) {
        stage.bench().jump(stage.bench().store().event_of_call(call));
        if (stage.bench().question() == nullptr) continue;
        ++questions, ++asked;
        found.add(stage.complaints(), look.words());
        stage.bench().answer(0);
        found.add(stage.complaints(), look.words() + ", answered");
      }
    }
    EXPECT_GT(asked, 3u) << file;
    EXPECT_TRUE(found.words().empty()) << file << "\n" << found.words();
  }
}

// The notes alone at each step that has a figure.
TEST_P(Screen, figures_in_the_notes) {
  std::size_t figures = 0;
  for (const fs::path& recording : recordings()) {
    const std::string name = recording.stem().string();
    if (!name.starts_with("h200_")) continue;
    const fs::path folder = fs::path(GUI_LESSONS) / name.substr(5) / "figures";
    if (!fs::is_directory(folder)) continue;
    Stage stage;
    stage.open_recording(recording);
    Complaints found;
    std::vector<std::pair<std::string, std::size_t>> figures_and_calls;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string step = entry.path().stem().string();
      if (step.ends_with(".zh")) continue;
      const std::vector<std::size_t> calls = stage.bench().calls_of_step(step);
      ASSERT_FALSE(calls.empty()) << entry.path();
      figures_and_calls.emplace_back(step, calls.back());
    }
    figures += figures_and_calls.size();
    for (const Look& look : every_look(GetParam())) {
      if (look.width != 1600) continue;
      for (const auto& [step, call] : figures_and_calls) {
        stage.begin(look);
        stage.shell().open("notes");
        stage.bench().jump_to_call(call);
        found.add(stage.complaints(), step + ", " + look.words());
      }
    }
    EXPECT_TRUE(found.words().empty()) << name << "\n" << found.words();
  }
  EXPECT_GT(figures, 8u);
}

bool in_sight(const TextLog& log, std::string_view words) {
  return std::any_of(log.texts().begin(), log.texts().end(), [words](const DrawnText& text) {
    return text.text == words && text.seen.holds({text.box.x + 1, text.box.y + text.box.h / 2});
  });
}

// A run passes through steps faster than the notes scroll.
TEST(Notes, who_comes_back_to_a_step_while_the_notes_scroll_away_from_it_sees_it) {
  Stage stage;
  stage.open_recording(GUI_RECORDINGS "/h200_05_context_stack.dlrec");
  stage.begin({});
  stage.shell().settings().animations = true;
  const std::size_t last = stage.bench().store().calls() - 1;
  stage.bench().jump_to_call(last);
  ASSERT_TRUE(in_sight(stage.draw(60), "Released"));
  stage.bench().jump_to_call(0);
  stage.draw(1);
  stage.bench().jump_to_call(last);
  EXPECT_TRUE(in_sight(stage.draw(60), "Released"));
  stage.bench().jump_to_call(0);
  EXPECT_FALSE(in_sight(stage.draw(60), "Released"));
}

INSTANTIATE_TEST_SUITE_P(Each, Screen, testing::Values(lab::Language::English, lab::Language::Chinese),
                         [](const auto& tested) { return name_of(tested.param); });

}  // namespace
}  // namespace gui
