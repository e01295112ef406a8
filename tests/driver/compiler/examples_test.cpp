// SPDX-License-Identifier: MIT
// The examples at the heads of the compiler's passes, held against what the passes make of them.
//
// A file of driver/compiler/src whose name begins with a verb (lower_whole.cpp) is a pass. Its head has an
// example:
//   before:           PTX, the body of a kernel with the parameters `out` and `n`, or whole functions
//   after:            lines of LLVM's code that all passes but the last make of it, for blocks of 64 threads
//   after, optimised: the same, behind the last
// The lines after follow each other, except where one is `…`, which is also any text within a line. A name
// such as %sum is any name of LLVM's, but the same one in all lines.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "kernel_abi/compile.hpp"

namespace {

namespace fs = std::filesystem;

const std::string dots = "…";

struct Example {
  std::string before;
  std::vector<std::string> after;
  bool optimised = false;
};

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' '), last = line.find_last_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first, last - first + 1);
}

Example read_example(const fs::path& path) {
  std::ifstream file(path);
  Example example;
  enum { Text, Before, After } part = Text;
  for (std::string line; std::getline(file, line) && (line.empty() || line.starts_with("//"));) {
    line.erase(0, 2);
    const std::string text = trimmed(line);
    if (text == "before:") {
      part = Before;
    } else if (text == "after:" || text == "after, optimised:") {
      part = After;
      example.optimised = text != "after:";
    } else if (!line.starts_with("    ")) {
      part = Text;
    } else if (part == Before) {
      example.before += text + "\n";
    } else if (part == After) {
      example.after.push_back(text);
    }
  }
  return example;
}

std::string module_of(const std::string& before) {
  const std::string head = ".version 7.0\n.target sm_70\n.address_size 64\n";
  if (before.find(".entry") != std::string::npos) return head + before;
  return head +
         ".visible .entry k(.param .u64 out, .param .u32 n) {\n"
         ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n" +
         before + "}\n";
}

// The lines of LLVM's code, without what LLVM says about them.
std::vector<std::string> compiled(const Example& example) {
  const fs::path dump = fs::temp_directory_path() / ("example_" + std::to_string(getpid()) + ".ll");
  const char* const variable = example.optimised ? "DRIVERLAB_DUMP_OPTIMISED_IR" : "DRIVERLAB_DUMP_IR";
  const std::string text = module_of(example.before);
  const driverlab_compile_request request = {text.data(), text.size(), "k", {64, 1, 1}};
  std::string answer;
  setenv(variable, dump.c_str(), 1);
  const int failed = driverlab_compile(
      &request,
      [](void* user, const void* data, std::size_t bytes) {
        static_cast<std::string*>(user)->assign(static_cast<const char*>(data), bytes);
      },
      &answer);
  unsetenv(variable);
  EXPECT_EQ(failed, 0) << answer;
  std::vector<std::string> lines;
  std::ifstream file(dump);
  for (std::string line; std::getline(file, line);) {
    line = trimmed(line.substr(0, line.find(';')));
    if (const std::size_t notes = line.find(", !"); notes != std::string::npos) line.resize(notes);
    if (!line.empty()) lines.push_back(line);
  }
  fs::remove(dump);
  return lines;
}

using Names = std::map<std::string, std::string>;

// Adds the names that the line has for those of the pattern. False if it does not fit.
bool fits(const std::string& pattern, const std::string& line, Names& names) {
  static const std::regex part("…|%[a-z]\\w*|[^\\w\\s%]");
  std::string expression;
  std::vector<std::string> found;
  std::size_t end = 0;
  for (std::sregex_iterator each(pattern.begin(), pattern.end(), part), none; each != none; ++each) {
    const auto at = static_cast<std::size_t>(each->position());
    expression += pattern.substr(end, at - end);
    end = at + static_cast<std::size_t>(each->length());
    const std::string text = each->str();
    if (text == dots) {
      expression += ".*";
    } else if (text.size() > 1 && text[0] == '%') {
      const auto earlier = std::find(found.begin(), found.end(), text);
      if (const auto known = names.find(text); known != names.end()) {
        expression += known->second;
      } else if (earlier != found.end()) {
        expression += "\\" + std::to_string(earlier - found.begin() + 1) + "(?:)";
      } else {
        expression += "(%\\w+)";
        found.push_back(text);
      }
    } else {
      expression += static_cast<unsigned char>(text[0]) < 0x80 ? "\\" + text : text;
    }
  }
  expression += pattern.substr(end);
  std::smatch match;
  if (!std::regex_match(line, match, std::regex(expression))) return false;
  for (std::size_t i = 0; i < found.size(); ++i) names[found[i]] = match[i + 1];
  return true;
}

// Whether the lines from `line` on are those of the pattern from `wanted` on.
bool continues(const std::vector<std::string>& pattern, std::size_t wanted,
               const std::vector<std::string>& lines, std::size_t line, Names names) {
  for (; wanted < pattern.size() && pattern[wanted] != dots; ++wanted, ++line)
    if (line >= lines.size() || !fits(pattern[wanted], lines[line], names)) return false;
  if (wanted == pattern.size()) return true;
  for (; line < lines.size(); ++line)
    if (continues(pattern, wanted + 1, lines, line, names)) return true;
  return false;
}

bool is_in(const std::vector<std::string>& pattern, const std::vector<std::string>& lines) {
  for (std::size_t line = 0; line < lines.size(); ++line)
    if (continues(pattern, 0, lines, line, {})) return true;
  return false;
}

std::vector<fs::path> passes() {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(COMPILER_SOURCES))
    if (entry.path().extension() == ".cpp" && entry.path().stem().string().find('_') != std::string::npos)
      found.push_back(entry.path());
  return found;
}

TEST(examples, each_pass_makes_of_the_example_at_its_head_what_stands_there) {
  const std::vector<fs::path> files = passes();
  ASSERT_GE(files.size(), 20U);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.filename());
    const Example example = read_example(file);
    EXPECT_FALSE(example.before.empty()) << "has no example";
    EXPECT_FALSE(example.after.empty()) << "has no example";
    if (example.before.empty() || example.after.empty()) continue;
    const std::vector<std::string> lines = compiled(example);
    std::string all;
    for (const std::string& line : lines)
      if (line.find("alloca") == std::string::npos) all += line + "\n";
    EXPECT_TRUE(is_in(example.after, lines)) << all;
  }
}

TEST(examples, each_pass_that_is_listed_has_a_file_of_its_name) {
  std::ifstream file(fs::path(COMPILER_SOURCES) / "compile.cpp");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::regex call("\\b((?:describe|find|inline|lower|make|mark)_\\w+)\\(");
  std::size_t count = 0;
  for (std::sregex_iterator each(text.begin(), text.end(), call), none; each != none; ++each, ++count)
    EXPECT_TRUE(fs::exists(fs::path(COMPILER_SOURCES) / ((*each)[1].str() + ".cpp"))) << (*each)[1];
  EXPECT_GE(count, 10U);
}

// ---- the comparison itself

const std::vector<std::string> some_lines = {"%1 = add i32 %0, 5", "store i32 %1, ptr %2", "ret void"};

TEST(examples, a_name_is_any_but_the_same_one_in_all_lines) {
  EXPECT_TRUE(is_in({"%sum = add i32 %a, 5", "store i32 %sum, ptr %place"}, some_lines));
  EXPECT_FALSE(is_in({"%sum = add i32 %a, 5", "store i32 %a, ptr %place"}, some_lines));
  EXPECT_FALSE(is_in({"%sum = add i32 %sum, 5"}, some_lines));
}

TEST(examples, lines_follow_each_other_unless_dots_are_between) {
  EXPECT_FALSE(is_in({"%sum = add i32 %a, 5", "ret void"}, some_lines));
  EXPECT_TRUE(is_in({"%sum = add i32 %a, 5", "…", "ret void"}, some_lines));
  EXPECT_FALSE(is_in({"ret void", "…", "%sum = add i32 %a, 5"}, some_lines));
}

}  // namespace
