// SPDX-License-Identifier: MIT
// See source_lines.hpp. Finds the mapped file of an address, and the frame among those found there that is
// the user's. The file itself is read through MappedFile.
#include "lab/source_lines.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "run/mapped_file.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostReaders = 8;  // processes at one time

// Identifies a file until it is written again; a path alone may belong to a program that was rebuilt since.
std::string written_as(const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return path;
  return fmt::format("{}\n{}:{}:{}:{}.{}", path, about.st_dev, about.st_ino, about.st_size,
                     about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

}  // namespace

struct SourceLines::Impl {
  struct Module {
    std::shared_ptr<MappedFile> file;
    std::uint64_t bias = 0;
    bool holds(std::uint64_t address) const { return file->holds(address - bias); }
  };
  std::filesystem::path folder, real_folder;
  LineReading reading;
  std::map<std::string, std::shared_ptr<MappedFile>> files;  // by written_as()
  std::map<std::string, Module> modules;                     // by path and bias, to distinguish forks
  // By return address; dropped when a file is mapped, because an unknown address may then be in that file.
  std::unordered_map<std::uint64_t, std::optional<SourcePlace>> known;
  struct Frames {
    std::string text;                // as add_frame() writes them
    std::optional<SourcePlace> own;  // the innermost in the user's code
  };
  std::unordered_map<std::uint64_t, Frames> known_frames;

  std::vector<std::shared_ptr<MappedFile>> readers;  // files with a reader, the last used one at the end

  const std::vector<StackFrame>& frames_in(const Module& module, std::uint64_t address);
  const Frames& frames_at(std::uint64_t return_address);
  std::string relative(const std::string& file) const;
  std::string python_frames(std::string_view lines, std::optional<SourcePlace>& place) const;
};

std::string SourceLines::Impl::relative(const std::string& file) const {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  for (const auto* base : {&folder, &real_folder}) {
    if (base->empty() || !path.is_absolute()) continue;
    const std::filesystem::path inside = path.lexically_relative(*base);
    if (!inside.empty() && *inside.begin() != "..") return inside.string();
  }
  return path.string();
}

// A run makes calls from few files. If there are many, the readers that were not used for the longest time
// are stopped.
const std::vector<StackFrame>& SourceLines::Impl::frames_in(const Module& module, std::uint64_t address) {
  const std::uint64_t inside = address - module.bias;
  if (!module.file->known(inside)) {
    std::erase(readers, module.file);
    if (readers.size() == kMostReaders) {
      readers.front()->stop_reader();
      readers.erase(readers.begin());
    }
    readers.push_back(module.file);
  }
  return module.file->frames(inside, reading);
}

SourceLines::SourceLines(const std::filesystem::path& source_folder, LineReading reading)
    : impl_(std::make_unique<Impl>()) {
  impl_->reading = std::move(reading);
  std::error_code error;
  impl_->folder = std::filesystem::absolute(source_folder, error).lexically_normal();
  impl_->real_folder = std::filesystem::weakly_canonical(source_folder, error);
}

SourceLines::~SourceLines() = default;

void SourceLines::map(const std::string& path, std::uint64_t bias) {
  const std::string key = path + '\0' + std::to_string(bias);
  if (impl_->modules.contains(key)) return;
  std::shared_ptr<MappedFile>& file = impl_->files[written_as(path)];
  if (!file) file = std::make_shared<MappedFile>(path);
  impl_->modules.emplace(key, Impl::Module{file, bias});
  impl_->known.clear();
  impl_->known_frames.clear();
}

std::optional<SourcePlace> SourceLines::find(std::uint64_t return_address) {
  if (return_address == 0) return std::nullopt;
  if (const auto found = impl_->known.find(return_address); found != impl_->known.end()) return found->second;
  std::optional<SourcePlace> place;
  // The return address is that of the instruction after the call, which may belong to the next line.
  const std::uint64_t call = return_address - 1;
  for (const auto& [key, module] : impl_->modules) {
    if (!module.holds(call)) continue;
    // Code inlined from a header of the toolkit belongs to the line of the program into which it was inlined.
    for (const StackFrame& frame : impl_->frames_in(module, call)) {
      if (frame.line == 0) continue;
      SourcePlace one{impl_->relative(frame.file), frame.line};
      const bool own = !std::filesystem::path(one.file).is_absolute();
      if (!place || own) place = std::move(one);
      if (own) break;
    }
    if (place) break;
  }
  return impl_->known.emplace(return_address, std::move(place)).first->second;
}

namespace {
bool is_own(const std::string& file) {
  return !file.empty() && file.front() != '<' && !std::filesystem::path(file).is_absolute();
}
}  // namespace

std::string SourceLines::Impl::python_frames(std::string_view lines,
                                             std::optional<SourcePlace>& place) const {
  std::string text;
  for (StackFrame& one : stack_frames(lines)) {
    one.file = relative(one.file);
    add_frame(text, one);
    if (!place && is_own(one.file) && one.line > 0) place = SourcePlace{one.file, one.line};
  }
  return text;
}

const SourceLines::Impl::Frames& SourceLines::Impl::frames_at(std::uint64_t return_address) {
  const auto [kept, unknown] = known_frames.try_emplace(return_address);
  if (!unknown) return kept->second;
  std::vector<StackFrame> found;
  for (const auto& [key, module] : modules) {
    if (return_address == 0 || !module.holds(return_address - 1)) continue;
    found = frames_in(module, return_address - 1);
    break;
  }
  if (found.empty()) found.emplace_back();
  Frames& frames = kept->second;
  for (StackFrame& one : found) {
    if (!one.file.empty()) one.file = relative(one.file);
    add_frame(frames.text, one);
    // A relative name may also be one that a foreign library was built with.
    std::error_code error;
    if (!frames.own && is_own(one.file) && std::filesystem::exists(folder / one.file, error))
      frames.own = SourcePlace{one.file, one.line};
  }
  return frames;
}

std::string SourceLines::frames(const std::vector<std::uint64_t>& return_addresses, std::string_view python,
                                std::optional<SourcePlace>& place) {
  std::string text;
  std::optional<SourcePlace> own;
  for (const std::uint64_t address : return_addresses) {
    const Impl::Frames& frames = impl_->frames_at(address);
    text += frames.text;
    if (!own) own = frames.own;
  }
  text += impl_->python_frames(python, own);
  if (own) place = std::move(own);
  return text;
}

std::vector<std::string> SourceLines::unread() const {
  std::vector<std::string> names;
  for (const auto& [key, file] : impl_->files)
    if (file->unread()) names.push_back(std::filesystem::path(file->path()).filename().string());
  return names;
}

}  // namespace lab
