// SPDX-License-Identifier: MIT
// What of a page is there before its script runs; tests/export opens pages in a browser.
#include "lab/page_export.hpp"

#include "world.hpp"

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

}  // namespace
}  // namespace lab_model_test
