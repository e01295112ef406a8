// SPDX-License-Identifier: MIT
// The recordings that come along with the lab (assets/recordings), for a list to choose from.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/catalogue.hpp"

namespace lab {

struct GalleryEntry {
  std::filesystem::path file;
  std::string card;                // "H200", from the file's name
  bool one_device = false;         // recorded on a machine with one GPU, where another one had two
  std::string name;                // the rest of the name: "04_context", "pytorch_streams"
  const Lesson* lesson = nullptr;  // of the catalogue; nullptr: another program
};

// Those of lessons in the order of the catalogue, then those of other programs by name. Files with another
// kind of name are left out.
std::vector<GalleryEntry> gallery(const std::filesystem::path& recordings, const Catalogue& catalogue);

}  // namespace lab
