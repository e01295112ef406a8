// SPDX-License-Identifier: MIT
// What the window remembers between starts: $XDG_CONFIG_HOME/driverlab/settings.json.
//
// Reading never fails: a value that is missing or of the wrong kind has its default, and a file that is no
// JSON is kept as settings.json.broken. Keys that this version does not know are written back.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "lab/installation.hpp"
#include "lab/own_program.hpp"
#include "lab/text.hpp"

namespace lab {

enum class ThemeChoice { Dark, Light, Projector };
std::optional<ThemeChoice> parse_theme(std::string_view word);  // "dark", "light", "projector"
const char* theme_key(ThemeChoice theme);

struct Settings {
  std::string lesson;                // slug of the last lesson, "" at the first start
  std::optional<Language> language;  // nothing: the language of the environment
  ThemeChoice theme = ThemeChoice::Dark;
  int scale = 100;  // percent, 75 to 250
  DriverChoice driver = DriverChoice::Auto;
  bool remote = false;                   // programs run on another machine
  std::string launcher;                  // which is reached through this: "ssh gpubox"
  int width = 1600, height = 1000;       // of the window
  std::map<std::string, double> layout;  // fractions of splitters by name, each 0 to 1
  bool animations = true;
  bool predict = true;      // questions before a step
  bool ghost = true;        // the run before is shown in grey
  double motion_speed = 1;  // 0.25 to 4; 2: every motion takes half as long
  struct Place {            // where the student was in a lesson
    std::string file;
    int line = 0;                                      // 1-based; 0: not known yet
    std::string exercise;                              // the name of the one that was open, "" if none was
    std::map<std::string, std::set<int>> breakpoints;  // by file, 1-based lines
    std::string tab;                                   // "notes", "code" or "picture", if these share a place
    std::string step;                                  // the step at the top of the visible notes
    int call = -1;  // calls before the moment of the run that was shown; -1: the end of the run
    bool operator==(const Place&) const = default;
  };
  std::map<std::string, Place> places;  // by slug of the lesson
  std::vector<std::string> recent;      // recordings that were opened last, newest first, by absolute path
  OwnProgram program;                   // that was traced last
  std::string unknown;                  // JSON object of the keys that this version does not know
  bool operator==(const Settings&) const = default;
};

// $XDG_CONFIG_HOME/driverlab/settings.json, or ~/.config/driverlab/settings.json; empty without a home.
std::filesystem::path settings_path();
// `broken`, if not null, is set to true if the file exists but could not be used.
Settings read_settings(const std::filesystem::path& path, bool* broken = nullptr);
Result<bool> write_settings(const std::filesystem::path& path, const Settings& settings);

}  // namespace lab
