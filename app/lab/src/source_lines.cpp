// SPDX-License-Identifier: MIT
// See source_lines.hpp. Everything here reads files that the lab did not make: libdw checks what it reads,
// and a file that it refuses is remembered as one without lines.
#include "lab/source_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <vector>

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace lab {
namespace {

constexpr std::uint32_t kMostLines = 10'000'000;  // beyond that a line number is damage

struct Range {
  std::uint64_t from = 0, to = 0;  // addresses in the file
};
struct UnitRange {
  Range range;
  Dwarf_Off unit = 0;  // of the compilation unit that it belongs to
};

// One executable or library, opened when the first address falls into it, for all the processes that it is
// mapped into. Its addresses are those in the file.
class DebugFile {
 public:
  explicit DebugFile(std::string path) : path_(std::move(path)) {}
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;
  ~DebugFile() {
    if (dwarf_) dwarf_end(dwarf_);
    if (elf_) elf_end(elf_);
    if (descriptor_ >= 0) close(descriptor_);
  }

  bool holds(std::uint64_t inside) {
    open_once();
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [inside](const Range& range) { return inside >= range.from && inside < range.to; });
  }

  std::vector<SourcePlace> find(std::uint64_t inside);  // innermost first; empty: not known
  // Names of the functions that hold it, inlined ones first; as many as find() has places, or one.
  std::vector<std::string> functions(std::uint64_t inside);

 private:
  void open_once();
  void read_ranges();
  void read_units();
  Dwarf_Die* unit_of(std::uint64_t inside, Dwarf_Die* storage);
  std::string symbol(std::uint64_t inside);
  void add_inlined(Dwarf_Die* unit, Dwarf_Addr inside, std::vector<SourcePlace>& places);

  std::string path_;
  bool opened_ = false;
  int descriptor_ = -1;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  std::vector<Range> ranges_;  // executable segments
  struct Symbol {
    Range range;
    const char* name;  // in elf_
  };
  bool units_read_ = false, symbols_read_ = false;
  std::vector<Symbol> symbols_;   // by address
  std::vector<UnitRange> units_;  // by address
};

void DebugFile::open_once() {
  if (opened_) return;
  opened_ = true;
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) return;
  // Read into memory, not mapped: a program that is rebuilt while we look would otherwise end us with SIGBUS.
  elf_ = elf_begin(descriptor_, ELF_C_READ, nullptr);
  if (!elf_ || elf_kind(elf_) != ELF_K_ELF) return;
  read_ranges();
  dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
}

void DebugFile::read_ranges() {
  std::size_t count = 0;
  if (elf_getphdrnum(elf_, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (!gelf_getphdr(elf_, static_cast<int>(i), &header)) return;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0 &&
        header.p_vaddr + header.p_memsz >= header.p_vaddr)
      ranges_.push_back({header.p_vaddr, header.p_vaddr + header.p_memsz});
  }
}

// The table that libdw looks addresses up in (.debug_aranges) is one that clang does not write, so the units
// are asked for their ranges, once.
void DebugFile::read_units() {
  units_read_ = true;
  Dwarf_Off offset = 0, next = 0;
  std::size_t header = 0;
  while (dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf_, offset + header, &unit)) {
      Dwarf_Addr base = 0, from = 0, to = 0;
      for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&unit, at, &base, &from, &to)) > 0;)
        if (from < to) units_.push_back({{from, to}, offset + header});
    }
    if (next <= offset) break;
    offset = next;
  }
  std::sort(units_.begin(), units_.end(),
            [](const UnitRange& a, const UnitRange& b) { return a.range.from < b.range.from; });
}

Dwarf_Die* DebugFile::unit_of(std::uint64_t inside, Dwarf_Die* storage) {
  if (Dwarf_Die* unit = dwarf_addrdie(dwarf_, inside, storage)) return unit;
  if (!units_read_) read_units();
  const auto after = std::partition_point(
      units_.begin(), units_.end(), [inside](const UnitRange& unit) { return unit.range.from <= inside; });
  if (after == units_.begin() || inside >= std::prev(after)->range.to) return nullptr;
  return dwarf_offdie(dwarf_, std::prev(after)->unit, storage);
}

// The scopes around an instruction as they lie in each other in the code; libdw's own list goes on, behind
// what was inlined, with where that was written. The caller frees them.
int scopes_around(Dwarf_Die* unit, Dwarf_Addr inside, Dwarf_Die** scopes) {
  Dwarf_Die* innermost = nullptr;
  const int found = dwarf_getscopes(unit, inside, &innermost);
  const int count = found > 0 ? dwarf_getscopes_die(&innermost[0], scopes) : 0;
  if (found > 0) std::free(innermost);
  return count;
}

// Where the calls stand that were inlined around the instruction, from the inside outwards.
void DebugFile::add_inlined(Dwarf_Die* unit, Dwarf_Addr inside, std::vector<SourcePlace>& places) {
  Dwarf_Files* files = nullptr;
  Dwarf_Die* scopes = nullptr;
  if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return;
  const int count = scopes_around(unit, inside, &scopes);
  for (int i = 0; i < count; ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    const bool known = dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file) == 0 &&
                       dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line) == 0;
    const char* name = known ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
    if (name != nullptr && line > 0 && line <= kMostLines)
      places.push_back({name, static_cast<std::uint32_t>(line)});
  }
  if (count > 0) std::free(scopes);
}

std::vector<SourcePlace> DebugFile::find(std::uint64_t inside) {
  std::vector<SourcePlace> places;
  if (!dwarf_) return places;
  Dwarf_Die storage;
  Dwarf_Die* unit = unit_of(inside, &storage);
  Dwarf_Line* line = unit ? dwarf_getsrc_die(unit, inside) : nullptr;
  if (!line) return places;
  int number = 0;
  const char* file = dwarf_linesrc(line, nullptr, nullptr);
  if (!file || dwarf_lineno(line, &number) != 0 || number <= 0) return places;
  if (static_cast<std::uint32_t>(number) > kMostLines) return places;
  places.push_back({file, static_cast<std::uint32_t>(number)});
  add_inlined(unit, inside, places);
  return places;
}

// As a person reads it, without the parameters of a long C++ name.
std::string readable(const char* name) {
  int status = 0;
  char* const plain = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string text = status == 0 && plain != nullptr ? plain : name;
  std::free(plain);
  if (const std::size_t end = text.find('('); status == 0 && end != std::string::npos && end > 0)
    text.resize(end);
  return text;
}

std::vector<std::string> DebugFile::functions(std::uint64_t inside) {
  std::vector<std::string> names;
  Dwarf_Die storage;
  Dwarf_Die* unit = dwarf_ ? unit_of(inside, &storage) : nullptr;
  Dwarf_Die* scopes = nullptr;
  const int count = unit ? scopes_around(unit, inside, &scopes) : 0;
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    const char* name = dwarf_diename(&scopes[i]);
    names.push_back(name != nullptr ? name : "");
    if (tag == DW_TAG_subprogram) break;
  }
  if (count > 0) std::free(scopes);
  if (names.empty()) names.push_back(symbol(inside));
  return names;
}

// From the file's own tables, which also a file without debug information has.
std::string DebugFile::symbol(std::uint64_t inside) {
  if (!symbols_read_) {
    symbols_read_ = true;
    for (Elf_Scn* section = nullptr; elf_ && (section = elf_nextscn(elf_, section)) != nullptr;) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_entsize == 0) continue;
      if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) continue;
      Elf_Data* const data = elf_getdata(section, nullptr);
      for (std::size_t i = 0; data && i < header.sh_size / header.sh_entsize; ++i) {
        GElf_Sym one;
        if (!gelf_getsym(data, static_cast<int>(i), &one) || GELF_ST_TYPE(one.st_info) != STT_FUNC) continue;
        const char* name = one.st_size > 0 ? elf_strptr(elf_, header.sh_link, one.st_name) : nullptr;
        if (name != nullptr) symbols_.push_back({{one.st_value, one.st_value + one.st_size}, name});
      }
    }
    std::sort(symbols_.begin(), symbols_.end(),
              [](const Symbol& a, const Symbol& b) { return a.range.from < b.range.from; });
  }
  const auto after = std::partition_point(symbols_.begin(), symbols_.end(),
                                          [inside](const Symbol& one) { return one.range.from <= inside; });
  if (after == symbols_.begin() || inside >= std::prev(after)->range.to) return {};
  return readable(std::prev(after)->name);
}

// One line of the text of frames: none of its parts may hold what separates them.
void add_frame(std::string& text, std::string function, const SourcePlace& place) {
  for (std::string part : {std::move(function), place.file}) {
    std::replace_if(part.begin(), part.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    text += part + '\t';
  }
  if (place.line > 0) text += std::to_string(place.line);
  text += '\n';
}

// The same until it is written anew; a path alone may be that of a program that was built again since.
std::string written_as(const std::string& path) {
  struct stat about{};
  if (::stat(path.c_str(), &about) != 0) return path;
  return fmt::format("{}\n{}:{}:{}:{}.{}", path, about.st_dev, about.st_ino, about.st_size,
                     about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

}  // namespace

struct SourceLines::Impl {
  struct Module {
    std::shared_ptr<DebugFile> file;
    std::uint64_t bias = 0;
    bool holds(std::uint64_t address) const { return file->holds(address - bias); }
  };
  std::filesystem::path folder, real_folder;
  std::map<std::string, std::shared_ptr<DebugFile>> files;  // by written_as()
  std::map<std::string, Module> modules;                    // by path and bias, so that forks are told apart
  // By return address; forgotten when something else is mapped, since what lay nowhere may lie there.
  std::unordered_map<std::uint64_t, std::optional<SourcePlace>> known;
  struct Frames {
    std::string text;                // a line each, as add_frame() writes them
    std::optional<SourcePlace> own;  // the innermost in the user's code
  };
  std::unordered_map<std::uint64_t, Frames> known_frames;

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

SourceLines::SourceLines(const std::filesystem::path& source_folder) : impl_(std::make_unique<Impl>()) {
  elf_version(EV_CURRENT);
  std::error_code error;
  impl_->folder = std::filesystem::absolute(source_folder, error).lexically_normal();
  impl_->real_folder = std::filesystem::weakly_canonical(source_folder, error);
}

SourceLines::~SourceLines() = default;

void SourceLines::map(const std::string& path, std::uint64_t bias) {
  const std::string key = path + '\0' + std::to_string(bias);
  if (impl_->modules.contains(key)) return;
  std::shared_ptr<DebugFile>& file = impl_->files[written_as(path)];
  if (!file) file = std::make_shared<DebugFile>(path);
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
    // What a header of the toolkit inlines belongs to the line of the program that it was inlined into.
    for (SourcePlace& one : module.file->find(call - module.bias)) {
      one.file = impl_->relative(one.file);
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
    SourcePlace at{relative(one.file), one.line};
    add_frame(text, std::move(one.function), at);
    if (!place && is_own(at.file) && at.line > 0) place = std::move(at);
  }
  return text;
}

const SourceLines::Impl::Frames& SourceLines::Impl::frames_at(std::uint64_t return_address) {
  const auto [kept, unknown] = known_frames.try_emplace(return_address);
  if (!unknown) return kept->second;
  std::vector<SourcePlace> places;
  std::vector<std::string> functions;
  for (const auto& [key, module] : modules) {
    if (return_address == 0 || !module.holds(return_address - 1)) continue;
    const std::uint64_t inside = return_address - 1 - module.bias;
    places = module.file->find(inside);
    functions = module.file->functions(inside);
    break;
  }
  const std::size_t count = std::max<std::size_t>({places.size(), functions.size(), 1});
  places.resize(count);
  functions.resize(count);
  Frames& frames = kept->second;
  for (std::size_t i = 0; i < count; ++i) {
    if (!places[i].file.empty()) places[i].file = relative(places[i].file);
    add_frame(frames.text, functions[i], places[i]);
    // A relative name may also be one that a foreign library was built with.
    std::error_code error;
    if (!frames.own && is_own(places[i].file) && std::filesystem::exists(folder / places[i].file, error))
      frames.own = places[i];
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

std::vector<StackFrame> stack_frames(std::string_view text) {
  constexpr std::size_t kMostFrames = 1000;
  std::vector<StackFrame> frames;
  while (!text.empty() && frames.size() < kMostFrames) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t first = one.find('\t'), second = one.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    StackFrame frame{std::string(one.substr(0, first)),
                     std::string(one.substr(first + 1, second - first - 1)), 0};
    std::from_chars(one.data() + second + 1, one.data() + one.size(), frame.line);
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace lab
