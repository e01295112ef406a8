// SPDX-License-Identifier: MIT
// Which lesson teaches a word of the driver API.
#include "lab/lessons_by_word.hpp"

#include "fixture.hpp"

namespace {

class LessonsByWord : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& teaches, const std::string& program) {
    folder.write(name + "/lesson.toml", "sources = [\"main.cpp\"]\nteaches = [" + teaches +
                                            "]\ndocuments = [\"4\"]\n[title]\nen = \"T\"\nzh = \"题\"\n"
                                            "[summary]\nen = \"S.\"\nzh = \"摘要。\"\n");
    folder.write(name + "/main.cpp", program);
  }
  lab::LessonsByWord words() {
    const lab::Catalogue read = lab::read_catalogue(folder.path());
    EXPECT_TRUE(read.problems.empty());
    return lab::LessonsByWord::create(read);
  }
  lab_test::TemporaryFolder folder;
};

TEST_F(LessonsByWord, a_lesson_that_teaches_a_call_goes_before_one_that_only_makes_it) {
  add("01_first", "\"cuInit\"", "int main() { cuInit(0); cuMemAlloc(&p, 4); }\n");
  add("02_memory", "\"cuMemAlloc\"", "int main() { cuMemAlloc(&p, 4); cuMemFree(p); }\n");
  const lab::LessonsByWord found = words();
  EXPECT_EQ(found.find("cuInit"), "first");
  EXPECT_EQ(found.find("cuMemAlloc"), "memory");
  EXPECT_EQ(found.find("cuMemFree"), "memory");
}

TEST_F(LessonsByWord, of_several_lessons_the_first_is_found) {
  add("01_first", "\"cuInit\"", "int main() { flag(CU_CTX_SCHED_SPIN); }\n");
  add("02_second", "\"cuInit\"", "int main() { flag(CU_CTX_SCHED_SPIN); }\n");
  EXPECT_EQ(words().find("cuInit"), "first");
  EXPECT_EQ(words().find("CU_CTX_SCHED_SPIN"), "first");
}

TEST_F(LessonsByWord, a_part_of_a_name_is_no_word) {
  add("01_first", "\"cuInit\"", "int main() { xcuMemFree(p); cuMemFree_v2(p); }\n");
  EXPECT_EQ(words().find("cuMemFree"), "");
  EXPECT_EQ(words().find("cuMemFree_v2"), "first");
}

TEST_F(LessonsByWord, words_of_the_runtime_and_of_NVRTC_lead_to_their_lesson_and_others_nowhere) {
  add("01_first", "\"cuInit\"",
      "int main() { cudaMalloc(&p, 4); nvrtcProgram program; dim3 d; int other; }\n");
  for (const char* word : {"cudaMalloc", "nvrtcProgram", "dim3"}) EXPECT_EQ(words().find(word), "first");
  EXPECT_EQ(words().find("other"), "");
}

}  // namespace
