// SPDX-License-Identifier: MIT
// Reads a program's file as the loader will; see interception.hpp. The file is not trusted: every offset in
// it is checked before it is used. The rules are those of the loader; of CUDA, only the names of its
// libraries are used.
#include "lab/interception.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/spawn.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostSearched = std::size_t{64} << 20;  // of a program that are searched
constexpr std::size_t kMostScript = 1 << 20;
constexpr int kMostInterpreters = 4;
constexpr std::array<std::string_view, 2> kDriverNames = {"libcuda.so.1", "libcuda.so"};
// The libraries above the driver that have an interposed library of the same name.
constexpr std::array<std::string_view, 4> kOuterNames = {"libcudart.so.12", "libcudart.so.13",
                                                         "libnvrtc.so.12", "libnvrtc.so.13"};

std::string read_start(const std::filesystem::path& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes;
  std::array<char, 65536> block{};
  while (bytes.size() < most && (in.read(block.data(), block.size()), in.gcount() > 0))
    bytes.append(block.data(), std::min(static_cast<std::size_t>(in.gcount()), most - bytes.size()));
  return bytes;
}

// The parts of an executable that the loader uses.
struct Dynamic {
  bool elf = false, loader = false;  // loader: has an interpreter
  bool runpath = false;              // which makes the loader ignore DT_RPATH
  std::string rpath;
  std::vector<std::string> needed;
};

class ElfReader {
 public:
  explicit ElfReader(std::string_view bytes) : bytes_(bytes) {}

  Dynamic read() {
    Dynamic found;
    Elf64_Ehdr head{};
    if (!take(0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return found;
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr)) return found;
    found.elf = true;
    for (std::size_t i = 0; i < head.e_phnum; ++i) {
      Elf64_Phdr part{};
      if (!take(head.e_phoff + i * sizeof part, part)) return found;
      if (part.p_type == PT_LOAD) loads_.push_back(part);
      if (part.p_type == PT_INTERP) found.loader = true;
      if (part.p_type == PT_DYNAMIC) dynamic_ = part;
    }
    read_dynamic(found);
    return found;
  }

 private:
  template <class T>
  bool take(std::uint64_t offset, T& value) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return true;
  }
  std::string text_at(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return {};
    const std::string_view rest = bytes_.substr(offset, 65536);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  std::uint64_t offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& part : loads_)
      if (address - part.p_vaddr < part.p_filesz) return part.p_offset + (address - part.p_vaddr);
    return bytes_.size();
  }
  void read_dynamic(Dynamic& found) const {
    std::uint64_t texts = 0;
    std::vector<Elf64_Dyn> entries;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic_.p_filesz; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      if (!take(dynamic_.p_offset + at, entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_STRTAB) texts = offset_of(entry.d_un.d_ptr);
      entries.push_back(entry);
    }
    if (texts == 0) return;
    for (const Elf64_Dyn& entry : entries) {
      const std::string text = text_at(texts + entry.d_un.d_val);
      if (entry.d_tag == DT_RPATH) found.rpath = text;
      if (entry.d_tag == DT_RUNPATH) found.runpath = true;
      if (entry.d_tag == DT_NEEDED) found.needed.push_back(text);
    }
  }

  std::string_view bytes_;
  std::vector<Elf64_Phdr> loads_;
  Elf64_Phdr dynamic_{};
};

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::vector<std::filesystem::path> folders_of(const std::string& rpath,
                                              const std::filesystem::path& program) {
  std::error_code error;
  const std::string origin = std::filesystem::canonical(program, error).parent_path().string();
  std::vector<std::filesystem::path> folders;
  for (std::size_t begin = 0; begin <= rpath.size();) {
    const std::size_t end = std::min(rpath.find(':', begin), rpath.size());
    std::string folder = rpath.substr(begin, end - begin);
    for (const char* word : {"${ORIGIN}", "$ORIGIN"}) replace_all(folder, word, origin);
    if (!folder.empty()) folders.emplace_back(folder);
    begin = end + 1;
  }
  return folders;
}

// The path in `bytes` that ends in "/libcuda.so" or "/libcuda.so.1", or "".
std::string full_path_in(std::string_view bytes) {
  constexpr std::string_view kName = "/libcuda.so";
  for (auto at = bytes.find(kName); at != std::string_view::npos; at = bytes.find(kName, at + 1)) {
    std::size_t begin = at, end = at + kName.size();
    const auto printable = [](char c) { return c > ' ' && c < 127; };
    while (begin > 0 && at - begin < 512 && printable(bytes[begin - 1])) --begin;
    if (bytes.substr(end, 2) == ".1") end += 2;
    const bool ends = end == bytes.size() || !printable(bytes[end]);
    if (ends && bytes[begin] == '/') return std::string(bytes.substr(begin, end - begin));
  }
  return {};
}

// The words of a "#!" line; empty for anything else.
std::vector<std::string> interpreter_of(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  std::vector<std::string> words;
  std::string_view line = text.substr(2, text.find('\n') - 2);
  while (true) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    const auto end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

// "" if the kernel gives the program no rights beyond those of its user.
std::string rights_of(const std::filesystem::path& program) {
  struct stat about{};
  if (::stat(program.c_str(), &about) != 0) return {};
  if ((about.st_mode & S_ISUID) != 0 && about.st_uid != ::geteuid()) return "set-user-ID";
  if ((about.st_mode & S_ISGID) != 0 && (about.st_mode & S_IXGRP) != 0 && about.st_gid != ::getegid())
    return "set-group-ID";
  if (::geteuid() != 0 && ::getxattr(program.c_str(), "security.capability", nullptr, 0) > 0)
    return "file capabilities";
  return {};
}

Interception interception_past_rpath(const std::filesystem::path& program, const Dynamic& dynamic) {
  Interception way;
  if (dynamic.runpath || dynamic.rpath.empty()) return way;
  const auto note = [&](std::string_view name, const std::filesystem::path& folder) {
    if (way.kind == Interception::Kind::Preload) return;
    way.kind = Interception::Kind::Preload;
    way.why = Problem{Text::InterceptionRpath, {program.string(), std::string(name), folder.string()}};
  };
  std::error_code error;
  for (const auto& folder : folders_of(dynamic.rpath, program)) {
    for (const std::string_view name : kDriverNames)
      if (std::filesystem::exists(folder / name, error)) note(name, folder);
    for (const std::string_view name : kOuterNames) {
      const bool needed =
          std::find(dynamic.needed.begin(), dynamic.needed.end(), std::string(name)) != dynamic.needed.end();
      if (!needed || !std::filesystem::exists(folder / name, error)) continue;
      note(name, folder);
      if (std::find(way.names.begin(), way.names.end(), name) == way.names.end())
        way.names.emplace_back(name);
    }
  }
  return way;
}

Interception interception_of_executable(const std::filesystem::path& program) {
  const std::string bytes = read_start(program, kMostSearched);
  const Dynamic dynamic = ElfReader(bytes).read();
  if (!dynamic.elf) return {};
  if (!dynamic.loader)
    return {Interception::Kind::Static, Problem{Text::InterceptionStatic, {program.string()}}, {}};
  Interception way = interception_past_rpath(program, dynamic);
  if (way.kind == Interception::Kind::Preload) return way;
  if (const std::string path = full_path_in(bytes); !path.empty())
    return {Interception::Kind::Preload, Problem{Text::InterceptionFullPath, {program.string(), path}}, {}};
  return way;
}

}  // namespace

Interception find_interception(const std::filesystem::path& program) {
  std::filesystem::path file = program;
  for (int depth = 0; depth < kMostInterpreters; ++depth) {
    if (const std::string rights = rights_of(file); !rights.empty())
      return {Interception::Kind::Secure,
              Problem{Text::InterceptionSecure, {file.string(), rights, file.filename().string()}},
              {}};
    const std::string script = read_start(file, kMostScript);
    std::vector<std::string> words = interpreter_of(script);
    if (words.empty()) return interception_of_executable(file);
    if (script.find("LD_LIBRARY_PATH") != std::string::npos)
      return {Interception::Kind::Preload, Problem{Text::InterceptionScript, {file.string()}}, {}};
    const bool by_env = std::filesystem::path(words[0]).filename() == "env" && words.size() > 1;
    const auto next = find_program(by_env ? words[words[1] == "-S" && words.size() > 2 ? 2 : 1] : words[0]);
    if (!next) return {};
    file = *next;
  }
  return {};
}

}  // namespace lab
