// SPDX-License-Identifier: MIT
// Three moments of a recorded run at three scales, in three themes and both languages, one with the run
// before as a ghost, and the timelines of three others, drawn offscreen and held against pictures that were
// looked at.
//
// README.md in this folder describes how pictures are compared, and how they are made again. Also here: the
// messages of `shot` about input that cannot be drawn.
#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fonts.hpp"
#include "gui/window.hpp"

namespace gui {
namespace {

namespace fs = std::filesystem;
const fs::path kHere = GUI_TESTS;

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

Image read_png(const fs::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  Image image;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) return image;
  png.format = PNG_FORMAT_RGB;
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0) return {};
  image.width = static_cast<int>(png.width);
  image.height = static_cast<int>(png.height);
  return image;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What a picture's pixels depend on besides our code. Where it differs, letters differ by parts of a pixel.
std::string made_with() {
  std::ostringstream words;
  words << "imgui " << IMGUI_VERSION << "\n";
  const Fonts fonts;
  for (const std::string& file : fonts.files())
    words << fs::path(file).filename().string() << " " << fs::file_size(file) << "\n";
  return words.str();
}

struct Difference {
  double mean = 0;       // over all blocks, of 255
  double far_share = 0;  // of blocks that differ by more than `far`
};

// Differences of the averages of square blocks: blind to where in a letter its edge falls.
Difference compare(const Image& a, const Image& b, int block, double far) {
  Difference difference;
  int blocks = 0, far_blocks = 0;
  for (int y = 0; y < a.height; y += block) {
    for (int x = 0; x < a.width; x += block) {
      double worst = 0;
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        int pixels = 0;
        for (int v = y; v < std::min(y + block, a.height); ++v)
          for (int u = x; u < std::min(x + block, a.width); ++u, ++pixels) {
            const auto at = static_cast<std::size_t>((v * a.width + u) * 3 + c);
            sum += static_cast<double>(a.rgb[at]) - static_cast<double>(b.rgb[at]);
          }
        worst = std::max(worst, std::abs(sum) / pixels);
      }
      difference.mean += worst;
      ++blocks;
      if (worst > far) ++far_blocks;
    }
  }
  difference.mean /= blocks;
  difference.far_share = static_cast<double>(far_blocks) / blocks;
  return difference;
}

class Shot : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("driverlab_shot_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    ::setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
    ::setenv("DRIVERLAB_ROOT", (kHere / "fixtures").c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

  lab::ShotRequest options() const {
    lab::ShotRequest made;
    made.recording = kHere / "fixtures" / "context_stack.trace";
    made.output = folder_ / "shot.png";
    return made;
  }
  fs::path folder_;
};

// What is kept of a picture: half its width and height, and 32 levels a colour, so that 68 of them are small.
// What is compared are averages of larger squares, which this changes by less than what is allowed.
Image kept_of(const Image& image) {
  Image kept{image.width / 2, image.height / 2, {}};
  kept.rgb.resize(static_cast<std::size_t>(kept.width * kept.height * 3));
  for (int y = 0; y < kept.height; ++y)
    for (int x = 0; x < kept.width; ++x)
      for (int c = 0; c < 3; ++c) {
        const auto at = [&](int v, int u) {
          return static_cast<int>(image.rgb[static_cast<std::size_t>((v * image.width + u) * 3 + c)]);
        };
        const int sum =
            at(2 * y, 2 * x) + at(2 * y, 2 * x + 1) + at(2 * y + 1, 2 * x) + at(2 * y + 1, 2 * x + 1);
        kept.rgb[static_cast<std::size_t>((y * kept.width + x) * 3 + c)] =
            static_cast<std::uint8_t>(sum / 4 / 8 * 8 + 4);
      }
  return kept;
}

bool write_png(const fs::path& path, const Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  return png_image_write_to_file(&png, path.c_str(), 0, image.rgb.data(), 0, nullptr) != 0;
}

struct Moment {
  std::size_t call;
  const char* name;
};
// A pop of an empty stack; a destroyed context that is current; memory in the primary one.
constexpr Moment kMoments[] = {{18, "empty_stack"}, {29, "destroyed"}, {37, "primary"}};

using Drawn = std::tuple<Moment, const char*, int, lab::Language>;

std::string name_of(const Drawn& drawn) {
  const auto& [moment, theme, scale, language] = drawn;
  return std::string(moment.name) + "_" + theme + "_" + std::to_string(scale) +
         (language == lab::Language::English ? "_en" : "_zh");
}

class Golden : public Shot, public testing::WithParamInterface<Drawn> {};

// Draws what is wanted, and holds it against the golden of this name, or makes that anew.
void compare_with_golden(const lab::ShotRequest& wanted, const std::string& name) {
  const fs::path golden = kHere / "goldens" / name;
  ASSERT_EQ(draw_shot(wanted), 0);
  const Image whole = read_png(wanted.output);
  ASSERT_EQ(whole.width, wanted.width);
  const Image now = kept_of(whole);
  if (std::getenv("DRIVERLAB_RENEW_GOLDENS") != nullptr) {
    ASSERT_TRUE(write_png(golden, now)) << golden;
    std::ofstream(kHere / "goldens" / "made_with.txt") << made_with();
    GTEST_SKIP() << name << " made anew";
  }
  const Image then = read_png(golden);
  ASSERT_EQ(now.width, then.width) << golden;
  ASSERT_EQ(now.height, then.height) << golden;
  const bool same_letters = made_with() == read_text(kHere / "goldens" / "made_with.txt");
  const Difference found = same_letters ? compare(now, then, 2, 12) : compare(now, then, 20, 24);
  if (found.far_share > (same_letters ? 0.0005 : 0.04) || found.mean > (same_letters ? 0.2 : 5)) {
    const fs::path kept = fs::path(testing::TempDir()) / ("driverlab_now_" + name);
    fs::copy_file(wanted.output, kept, fs::copy_options::overwrite_existing);
    ADD_FAILURE() << name << ": mean " << found.mean << ", share of far blocks " << found.far_share
                  << (same_letters ? " (same letters)" : " (other fonts or ImGui)")
                  << "; drawn now: " << kept;
  }
}

TEST_P(Golden, looks_as_it_did) {
  const auto& [moment, theme, scale, language] = GetParam();
  lab::ShotRequest wanted = options();
  wanted.call = moment.call;
  wanted.theme = lab::parse_theme(theme).value();
  wanted.scale = scale;
  wanted.language = language;
  compare_with_golden(wanted, name_of(GetParam()) + ".png");
}

// Work that ran as the driver reported, default streams, a graph: each at a moment when some is to come.
struct Lanes {
  const char* name;
  std::size_t call;
};
constexpr Lanes kLanes[] = {{"streams_events", 40}, {"per_thread_stream", 40}, {"graphs", 60}};

class GoldenTimeline : public Shot, public testing::WithParamInterface<std::tuple<Lanes, lab::Language>> {};

std::string name_of_lanes(const std::tuple<Lanes, lab::Language>& drawn) {
  return std::string("timeline_") + std::get<0>(drawn).name +
         (std::get<1>(drawn) == lab::Language::English ? "_en" : "_zh");
}

TEST_P(GoldenTimeline, looks_as_it_did) {
  const auto& [lanes, language] = GetParam();
  lab::ShotRequest wanted = options();
  wanted.recording = kHere / "fixtures" / (std::string(lanes.name) + ".trace");
  wanted.panel = "timeline";
  wanted.call = lanes.call;
  wanted.language = language;
  wanted.height = 480;
  compare_with_golden(wanted, name_of_lanes(GetParam()) + ".png");
}

INSTANTIATE_TEST_SUITE_P(Each, GoldenTimeline,
                         testing::Combine(testing::ValuesIn(kLanes),
                                          testing::Values(lab::Language::English, lab::Language::Chinese)),
                         [](const auto& tested) { return name_of_lanes(tested.param); });

INSTANTIATE_TEST_SUITE_P(Each, Golden,
                         testing::Combine(testing::ValuesIn(kMoments),
                                          testing::Values("dark", "light", "projector"),
                                          testing::Values(100, 150, 200),
                                          testing::Values(lab::Language::English, lab::Language::Chinese)),
                         [](const auto& tested) { return name_of(tested.param); });

// The run before, in which a context more was made and A had more memory, at the last call of the memory; the
// whole window, and the lanes alone.
using DrawnGhost = std::tuple<const char*, const char*, lab::Language>;

std::string ghost_name_of(const DrawnGhost& drawn) {
  const auto& [panel, theme, language] = drawn;
  return std::string("ghost_") + (*panel != 0 ? panel : "window") + "_" + theme +
         (language == lab::Language::English ? "_en" : "_zh");
}

class GoldenGhost : public Shot, public testing::WithParamInterface<DrawnGhost> {};

TEST_P(GoldenGhost, looks_as_it_did) {
  const auto& [panel, theme, language] = GetParam();
  lab::ShotRequest wanted = options();
  wanted.ghost = kHere / "fixtures" / "run_before.trace";
  wanted.call = 13;
  wanted.panel = panel;
  wanted.theme = lab::parse_theme(theme).value();
  wanted.language = language;
  wanted.height = *panel != 0 ? 360 : 1000;
  compare_with_golden(wanted, ghost_name_of(GetParam()) + ".png");
}

INSTANTIATE_TEST_SUITE_P(Each, GoldenGhost,
                         testing::Combine(testing::Values("", "timeline"), testing::Values("dark", "light"),
                                          testing::Values(lab::Language::English, lab::Language::Chinese)),
                         [](const auto& tested) { return ghost_name_of(tested.param); });

TEST_F(Shot, a_ghost_changes_the_picture_and_the_same_run_as_its_ghost_does_not) {
  lab::ShotRequest plain = options(), same = options(), other = options();
  plain.call = same.call = other.call = 13;
  same.ghost = same.recording;
  other.ghost = kHere / "fixtures" / "run_before.trace";
  same.output = folder_ / "same.png", other.output = folder_ / "other.png";
  for (const lab::ShotRequest* wanted : {&plain, &same, &other}) ASSERT_EQ(draw_shot(*wanted), 0);
  EXPECT_EQ(read_text(plain.output), read_text(same.output));
  EXPECT_GT(compare(read_png(plain.output), read_png(other.output), 4, 12).far_share, 0.002);
}

TEST_F(Shot, two_pictures_of_one_moment_are_the_same_file) {
  lab::ShotRequest first = options(), second = options();
  second.output = folder_ / "again.png";
  ASSERT_EQ(draw_shot(first), 0);
  ASSERT_EQ(draw_shot(second), 0);
  EXPECT_EQ(read_text(first.output), read_text(second.output));
}

TEST_F(Shot, another_moment_is_another_picture) {
  lab::ShotRequest first = options(), second = options();
  first.call = 3;
  second.call = 6;
  second.output = folder_ / "again.png";
  ASSERT_EQ(draw_shot(first), 0);
  ASSERT_EQ(draw_shot(second), 0);
  const Difference found = compare(read_png(first.output), read_png(second.output), 4, 12);
  EXPECT_GT(found.far_share, 0.002);  // what `looks_as_it_did` would call a failure
}

TEST_F(Shot, every_theme_and_scale_is_drawn_in_the_size_asked_for) {
  for (const char* theme : {"dark", "light", "projector"})
    for (const int scale : {75, 150, 250}) {
      lab::ShotRequest wanted = options();
      wanted.theme = lab::parse_theme(theme).value();
      wanted.scale = scale;
      wanted.width = 1280;
      wanted.height = 720;
      ASSERT_EQ(draw_shot(wanted), 0) << theme << " " << scale;
      EXPECT_EQ(read_png(wanted.output).width, 1280);
    }
}

TEST_F(Shot, the_smallest_picture_can_be_drawn) {
  lab::ShotRequest wanted = options();
  wanted.width = 320;
  wanted.height = 240;
  wanted.scale = 250;
  EXPECT_EQ(draw_shot(wanted), 0);
}

TEST_F(Shot, the_moment_before_everything_can_be_drawn) {
  lab::ShotRequest wanted = options();
  wanted.call = 0;
  EXPECT_EQ(draw_shot(wanted), 0);
}

TEST_F(Shot, what_cannot_be_drawn_is_refused_and_leaves_no_file) {
  const auto refused = [&](auto change) {
    lab::ShotRequest wanted = options();
    change(wanted);
    const int status = draw_shot(wanted);
    EXPECT_FALSE(fs::exists(wanted.output));
    return status;
  };
  EXPECT_EQ(refused([](lab::ShotRequest& o) { o.call = 100'000; }), 2);
  EXPECT_EQ(refused([](lab::ShotRequest& o) { o.recording = "/no/such/recording"; }), 2);
  EXPECT_EQ(refused([](lab::ShotRequest& o) { o.recording = kHere / "golden_test.cpp"; }),
            2);  // not a recording
  EXPECT_EQ(refused([](lab::ShotRequest& o) { o.output = "/no/such/folder/s.png"; }), 2);
  EXPECT_EQ(refused([](lab::ShotRequest& o) { o.ghost = "/no/such/recording"; }), 2);
}

TEST_F(Shot, a_panel_that_only_lessons_have_is_refused_of_a_recording_with_what_to_do) {
  lab::ShotRequest wanted = options();
  wanted.panel = "exercise";
  testing::internal::CaptureStderr();
  EXPECT_EQ(draw_shot(wanted), 2);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("exercise"), std::string::npos) << said;
  EXPECT_NE(said.find("--lesson LESSON"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(wanted.output));
}

TEST_F(Shot, an_unknown_lesson_is_named) {
  lab::ShotRequest wanted = options();
  wanted.recording.clear();
  wanted.lesson = "99";
  testing::internal::CaptureStderr();
  EXPECT_EQ(draw_shot(wanted), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("99"), std::string::npos);
}

TEST_F(Shot, without_a_chinese_font_the_picture_is_drawn_and_says_what_to_install) {
  ::setenv("DRIVERLAB_FONTS", "latin", 1);
  lab::ShotRequest wanted = options();
  wanted.language = lab::Language::Chinese;
  EXPECT_EQ(draw_shot(wanted), 0);
  EXPECT_FALSE(Fonts().has_chinese());
  ::unsetenv("DRIVERLAB_FONTS");
}

}  // namespace
}  // namespace gui
