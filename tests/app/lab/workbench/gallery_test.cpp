// SPDX-License-Identifier: MIT
// The recordings that come along: which lesson each is of, and their order.
#include "lab/gallery.hpp"

#include "bench_fixture.hpp"

using namespace lab_model_test;

namespace {

class gallery : public BenchTest {};

}  // namespace

TEST_F(gallery, lists_lessons_first_and_knows_the_machine) {
  const fs::path folder = folder_ / "recordings";
  for (const char* name : {"h200_02_second.dlrec", "h200x1_01_first.dlrec", "h200_01_first.dlrec",
                           "README.md", "odd.dlrec", "programs/h100_other_program.dlrec"})
    put(folder / name, "");
  const std::vector<lab::GalleryEntry> all = lab::gallery(folder, bench().catalogue());
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].lesson->slug, "first");
  EXPECT_FALSE(all[0].one_device);
  EXPECT_EQ(all[1].lesson->slug, "first");
  EXPECT_TRUE(all[1].one_device);
  EXPECT_EQ(all[1].card, "H200");
  EXPECT_EQ(all[2].lesson->slug, "second");
  EXPECT_EQ(all[3].lesson, nullptr);
  EXPECT_EQ(all[3].name, "other_program");
  EXPECT_EQ(all[3].card, "H100");
}

TEST_F(gallery, is_empty_without_its_folder) {
  EXPECT_TRUE(lab::gallery(folder_ / "nowhere", bench().catalogue()).empty());
}
