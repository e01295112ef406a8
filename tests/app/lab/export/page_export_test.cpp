// SPDX-License-Identifier: MIT
// What of a page is there before its script runs, and what making it costs; tests/whole/export opens pages in
// a browser.
#include "lab/page_export.hpp"

#include <functional>
#include <iterator>
#include <random>

#include <nlohmann/json.hpp>

#include "export/page_state.hpp"
#include "lab/process_models.hpp"
#include "scramble.hpp"

namespace lab_model_test {
namespace {

// The text between the marks of the title.
std::string title_of(const std::string& name) {
  World run;
  run.init();
  trace::Store store;
  run.into(store);
  lab::Model model(store);
  model.follow();
  lab::PageOptions options;
  options.title[0] = name;
  const std::string page = lab::html_page(model, store, {}, options);
  const std::size_t begin = page.find("<title>") + 7;
  return page.substr(begin, page.find("</title>") - begin);
}

TEST(Page, characters_that_steer_are_shown_in_its_title) {
  using namespace std::string_literals;
  EXPECT_EQ(title_of("a\0b\x1b[31m\x7f"s), "a\\u{0}b\\u{1b}[31m\\u{7f}");
  EXPECT_EQ(title_of("\xe2\x80\xae"
                     "evil\xe2\x81\xa6 \xd8\x9c \xc2\x9b"),
            "\\u{202e}evil\\u{2066} \\u{61c} \\u{9b}");
  EXPECT_EQ(title_of("\xef\xbb\xbf\xe2\x80\x8b"), "\\u{feff}\\u{200b}");
}

TEST(Page, words_of_all_languages_stay_as_they_are_in_its_title) {
  for (const char* const name : {"04 上下文栈 – “vecAdd”", "naïve é ü", "ﬁ 😀", "مرحبا", "\xc2", ""})
    EXPECT_EQ(title_of(name), name);
  EXPECT_EQ(title_of("<b>&"), "&lt;b&gt;&amp;");
}

TEST(Page, zeros_that_were_not_written_are_a_number_for_its_viewer) {
  World run;
  run.other(trace::EventKind::Output, 0, "", 2).event().zeros = 8589934592;
  run.init();
  trace::Store store;
  run.into(store);
  lab::Model model(store);
  model.follow();
  const std::string page = lab::html_page(model, store, {}, lab::PageOptions());
  EXPECT_NE(page.find("\"out\":[[2,\"\",\"8589934592\"]]"), std::string::npos);
}

// What changes is found without looking at what stays; looking at everything has to find the same.
TEST(Page, what_changes_between_moments_is_what_comparing_everything_finds) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    World world;
    scramble(world, 2000, seed);
    if (seed % 2 == 0) {  // a child with the same handles, whose calls come in between
      World child;
      scramble(child, 500, seed + 100);
      std::mt19937 random(seed);
      auto place = world.calls().begin();
      for (support::Call& call : child.calls()) {
        std::advance(place, random() % 4);
        world.calls().insert(place, call.process(1).thread(call.event().thread + 3));
      }
    }
    trace::Store store;
    world.into(store);
    lab::Model model(store);
    model.follow();
    const lab::ProcessModels models(model, store);
    lab::PageState listed, compared;
    std::mt19937 random(seed);
    std::size_t stepped = 0;
    for (std::size_t event = 0; event < store.size(); event += random() % 500 == 0 ? 300 : 1 + random() % 2) {
      const lab::Model& own = models.of_event(event);
      const lab::State& now = own.at(event + 1);
      stepped += own.touched().all ? 0 : 1;
      const nlohmann::json changes = listed.change_to(now, own.touched());
      ASSERT_EQ(changes, compared.change_to(now, lab::Touched())) << "event " << event << ", seed " << seed;
    }
    EXPECT_GT(stepped, store.size() / 4);
  }
}

// Of everything that there can be many of while it lives.
TEST(Page, of_many_live_objects_takes_time_in_proportion) {
  struct Program {
    const char* makes_many;
    std::uint64_t few;
    std::function<void(World&, std::uint64_t)> calls;
  };
  const auto seconds_for = [](const Program& program, std::uint64_t count) {
    World world;
    program.calls(world, count);
    trace::Store store;
    world.into(store);
    lab::Model model(store);
    model.follow();
    return seconds_of([&] { EXPECT_NE(lab::html_page(model, store, {}, lab::PageOptions()), ""); });
  };
  const Program programs[] = {
      {"contexts", 2000,
       [](World& world, std::uint64_t count) {
         for (std::uint64_t i = 0; i < count; ++i) {
           world.create(0x1000 + 16 * i);
           world.pop(0x1000 + 16 * i);
         }
       }},
      {"allocations", 3000,
       [](World& world, std::uint64_t count) {
         world.create(kA);
         for (std::uint64_t i = 0; i < count; ++i) world.allocate(kMemory + 512 * i, 512);
       }},
      {"streams", 3000,
       [](World& world, std::uint64_t count) {
         world.create(kA);
         for (std::uint64_t i = 0; i < count; ++i) world.create_stream(0x1000 + 16 * i);
       }},
      {"threads", 400,
       [](World& world, std::uint64_t count) {
         world.create(kA);
         for (std::uint32_t i = 0; i < count; ++i) world.push(kA).thread(i);
       }},
  };
  for (const Program& program : programs) {
    const double few = seconds_for(program, program.few);
    EXPECT_LT(seconds_for(program, 10 * program.few), 40 * few) << program.makes_many;
  }
}

}  // namespace
}  // namespace lab_model_test
