// SPDX-License-Identifier: MIT
// See settings.hpp.
#include "lab/settings.hpp"

#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "lab/catalogue.hpp"
#include "lab/files.hpp"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = 1 << 20;

// Takes a key out, so that what remains is what this version does not know.
json take(json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return nullptr;
  json value = std::move(*found);
  object.erase(found);
  return value;
}

std::string take_text(json& object, const char* key) {
  const json value = take(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

int take_number(json& object, const char* key, int least, int most, int otherwise) {
  const json value = take(object, key);
  if (!value.is_number()) return otherwise;
  const double number = value.get<double>();
  return number >= least && number <= most ? static_cast<int>(number) : otherwise;
}

bool take_flag(json& object, const char* key, bool otherwise) {
  const json value = take(object, key);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

constexpr std::size_t kMostPlaces = 500, kMostBreakpoints = 500, kMostRecent = 50;

Settings::Place place_from(const json& object) {
  Settings::Place place;
  json copy = object;
  place.file = take_text(copy, "file");
  place.line = take_number(copy, "line", 0, 1'000'000, 0);
  // Versions with one exercise in a lesson wrote whether it was open.
  if (const json open = take(copy, "exercise"); open.is_string())
    place.exercise = open.get<std::string>();
  else if (open == true)
    place.exercise = kFirstExercise;
  place.tab = take_text(copy, "tab");
  place.step = take_text(copy, "step");
  place.call = take_number(copy, "call", 0, 100'000'000, -1);
  const json files = take(copy, "breakpoints");
  if (!files.is_object()) return place;
  for (const auto& [file, lines] : files.items()) {
    if (!lines.is_array()) continue;
    for (const json& line : lines) {
      if (!line.is_number_integer() || place.breakpoints[file].size() >= kMostBreakpoints) continue;
      const auto number = line.get<std::int64_t>();
      if (number > 0 && number <= 1'000'000) place.breakpoints[file].insert(static_cast<int>(number));
    }
  }
  return place;
}

Settings from_json(json object) {
  Settings settings;
  settings.lesson = slug_of(take_text(object, "lesson"));
  settings.language = parse_language(take_text(object, "language"));
  settings.theme = parse_theme(take_text(object, "theme")).value_or(settings.theme);
  settings.driver = parse_driver(take_text(object, "driver")).value_or(settings.driver);
  settings.scale = take_number(object, "scale", 75, 250, settings.scale);
  settings.width = take_number(object, "width", 320, 32768, settings.width);
  settings.height = take_number(object, "height", 240, 32768, settings.height);
  settings.launcher = take_text(object, "launcher");
  settings.remote = take_flag(object, "remote", false);
  settings.animations = take_flag(object, "animations", settings.animations);
  settings.predict = take_flag(object, "predict", settings.predict);
  settings.ghost = take_flag(object, "ghost", settings.ghost);
  const json motion_speed = take(object, "motion_speed");
  if (motion_speed.is_number()) settings.motion_speed = std::clamp(motion_speed.get<double>(), 0.25, 4.0);
  const json recent = take(object, "recent");
  if (recent.is_array())
    for (const json& file : recent)
      if (file.is_string() && settings.recent.size() < kMostRecent)
        settings.recent.push_back(file.get<std::string>());
  if (json program = take(object, "program"); program.is_object()) {
    settings.program.command = take_text(program, "command");
    settings.program.folder = take_text(program, "folder");
    settings.program.environment = take_text(program, "environment");
  }
  const json places = take(object, "places");
  if (places.is_object())
    for (const auto& [lesson, place] : places.items())
      if (place.is_object() && settings.places.size() < kMostPlaces)
        settings.places[slug_of(lesson)] = place_from(place);  // "04_x" comes before "x", which wins
  const json layout = take(object, "layout");
  if (layout.is_object())
    for (const auto& [name, fraction] : layout.items())
      if (fraction.is_number() && fraction.get<double>() >= 0 && fraction.get<double>() <= 1)
        settings.layout[name] = fraction.get<double>();
  if (!object.empty()) settings.unknown = object.dump();
  return settings;
}

// The file that could not be read is kept, so that edits by hand are not lost.
void keep_broken(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::rename(path, path.string() + ".broken", error);
}

}  // namespace

std::optional<ThemeChoice> parse_theme(std::string_view word) {
  for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light, ThemeChoice::Projector})
    if (word == theme_key(theme)) return theme;
  return std::nullopt;
}

const char* theme_key(ThemeChoice theme) {
  switch (theme) {
    case ThemeChoice::Light:
      return "light";
    case ThemeChoice::Projector:
      return "projector";
    case ThemeChoice::Dark:
      break;
  }
  return "dark";
}

std::filesystem::path settings_path() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config && *config == '/') return std::filesystem::path(config) / "driverlab" / "settings.json";
  const char* home = std::getenv("HOME");
  if (home && *home) return std::filesystem::path(home) / ".config" / "driverlab" / "settings.json";
  return {};
}

Settings read_settings(const std::filesystem::path& path, bool* broken) {
  if (broken) *broken = false;
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return {};
  const auto text = read_file(path, kMostBytes);
  const json object = text ? json::parse(*text, nullptr, false) : json(json::value_t::discarded);
  if (object.is_object()) return from_json(object);
  if (broken) *broken = true;
  keep_broken(path);
  return {};
}

Result<bool> write_settings(const std::filesystem::path& path, const Settings& settings) {
  if (path.empty()) return false;
  json object = json::parse(settings.unknown, nullptr, false);
  if (!object.is_object()) object = json::object();
  object["lesson"] = settings.lesson;
  if (settings.language) object["language"] = language_word(*settings.language);
  object["predict"] = settings.predict;
  object["ghost"] = settings.ghost;
  object["theme"] = theme_key(settings.theme);
  object["driver"] = driver_word(settings.driver);
  if (settings.remote) object["remote"] = true;
  if (!settings.launcher.empty()) object["launcher"] = settings.launcher;
  object["scale"] = settings.scale;
  object["width"] = settings.width;
  object["height"] = settings.height;
  object["animations"] = settings.animations;
  object["motion_speed"] = settings.motion_speed;
  object["layout"] = settings.layout;
  if (!settings.recent.empty()) object["recent"] = settings.recent;
  if (settings.program != OwnProgram{})
    object["program"] = {{"command", settings.program.command},
                         {"folder", settings.program.folder},
                         {"environment", settings.program.environment}};
  json& places = object["places"] = json::object();
  for (const auto& [lesson, place] : settings.places)
    places[lesson] = {{"file", place.file},         {"line", place.line},
                      {"exercise", place.exercise}, {"breakpoints", place.breakpoints},
                      {"tab", place.tab},           {"step", place.step},
                      {"call", place.call}};
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  return write_file(path, object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace lab
