// SPDX-License-Identifier: MIT
// See lab/gallery.hpp. The names of the files are explained in assets/recordings/README.md; the files
// themselves are not read.
#include "lab/gallery.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <system_error>
#include <tuple>

namespace lab {
namespace {

std::optional<GalleryEntry> entry_of(const std::filesystem::path& file, const Catalogue& catalogue) {
  const std::string stem = file.stem().string();
  const std::size_t end = stem.find('_');
  if (file.extension() != ".dlrec" || end == std::string::npos || end == 0 || end + 1 == stem.size())
    return std::nullopt;
  GalleryEntry entry{.file = file, .card = stem.substr(0, end), .name = stem.substr(end + 1)};
  if (entry.card.ends_with("x1")) {
    entry.one_device = true;
    entry.card.resize(entry.card.size() - 2);
  }
  for (char& c : entry.card) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const Lesson& lesson : catalogue.lessons)
    if (lesson.folder.filename() == entry.name) entry.lesson = &lesson;
  return entry;
}

}  // namespace

std::vector<GalleryEntry> gallery(const std::filesystem::path& recordings, const Catalogue& catalogue) {
  std::vector<GalleryEntry> entries;
  for (const std::filesystem::path& folder : {recordings, recordings / "programs"}) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (auto entry = entry_of(at->path(), catalogue)) entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(), [](const GalleryEntry& a, const GalleryEntry& b) {
    const auto key = [](const GalleryEntry& e) {
      return std::tuple(e.lesson == nullptr, e.lesson == nullptr ? 0 : e.lesson->number, e.name, e.one_device,
                        e.card);
    };
    return key(a) < key(b);
  });
  return entries;
}

}  // namespace lab
