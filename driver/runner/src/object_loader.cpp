// SPDX-License-Identifier: MIT
// See object_loader.hpp: places sections in memory, applies relocations, then sets permissions.
//
// Calls of functions outside go through stubs next to the code, because these functions may be too far away
// for a relative call. The addresses of such functions, and those that code looks up in a table, are in slots
// after the stubs.
#include "object_loader.hpp"

#include <elf.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

namespace runner {

struct LoadedObject::Symbols {
  std::map<std::string, const void*, std::less<>> addresses;
};

namespace {

constexpr std::size_t kPageSize = 4096;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;

// What may be done with a section, in the order in which they lie in memory.
enum Group : unsigned { Code, Constants, Data, group_count };
constexpr std::array<int, group_count> kProtections = {PROT_READ | PROT_EXEC, PROT_READ,
                                                       PROT_READ | PROT_WRITE};

struct Stub {
  std::array<unsigned char, 8> jump = {0xff, 0x25, 2, 0, 0, 0, 0x90, 0x90};  // jmp *target(%rip)
  std::uint64_t target = 0;
};
static_assert(sizeof(Stub) == 16);

std::size_t round_up(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

class Linker {
 public:
  Linker(std::span<const std::byte> object, const LoadedObject::Resolve& resolve)
      : object_(object), resolve_(resolve) {}

  std::string why;
  std::byte* memory = nullptr;
  std::size_t size = 0;
  std::map<std::string, const void*, std::less<>> defined;

  bool link() {
    return read_header() && read_sections() && lay_out() && copy_sections() && read_symbols() && relocate() &&
           protect();
  }

 private:
  bool fail(const char* reason) {
    why = reason;
    return false;
  }

  // Copies a record out of the object, which promises no alignment.
  template <typename Record>
  bool read(std::uint64_t offset, Record& record) const {
    if (offset > object_.size() || sizeof record > object_.size() - offset) return false;
    std::memcpy(&record, object_.data() + offset, sizeof record);
    return true;
  }

  bool holds(const Elf64_Shdr& section) const {
    return section.sh_offset <= object_.size() && section.sh_size <= object_.size() - section.sh_offset;
  }

  bool text_at(const Elf64_Shdr& strings, std::uint64_t offset, std::string_view& text) const {
    if (strings.sh_type != SHT_STRTAB || !holds(strings) || offset >= strings.sh_size) return false;
    const char* const start = reinterpret_cast<const char*>(object_.data() + strings.sh_offset + offset);
    const std::size_t room = strings.sh_size - offset;
    const std::size_t length = strnlen(start, room);
    text = {start, length};
    return length < room;
  }

  bool read_header();
  bool read_sections();
  bool lay_out();
  bool copy_sections();
  bool read_symbols();
  bool relocate();
  bool relocate_section(const Elf64_Shdr& relocations);
  bool apply(const Elf64_Rela& relocation, const Elf64_Shdr& target, std::byte* base);
  bool protect();
  // A stub for a symbol, made at the first use. Null when there is no room, which cannot be.
  Stub* stub_for(std::size_t symbol);

  std::span<const std::byte> object_;
  const LoadedObject::Resolve& resolve_;
  Elf64_Ehdr header_ = {};
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::byte*> places_;  // by section; null for what is not loaded
  std::vector<std::uint64_t> symbols_;
  std::vector<Stub*> stubs_;  // by symbol
  std::map<std::uint64_t, std::string> missing_;
  std::array<std::size_t, group_count + 1> group_offset_ = {};
  std::size_t stubs_offset_ = 0, stub_room_ = 0, stub_count_ = 0;
};

bool Linker::read_header() {
  if (!read(0, header_) || std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0) return fail("not an object");
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_machine != EM_X86_64 || header_.e_type != ET_REL)
    return fail("not an object for this processor");
  return true;
}

bool Linker::read_sections() {
  if (header_.e_shentsize != sizeof(Elf64_Shdr)) return fail("sections of an unknown form");
  sections_.resize(header_.e_shnum);
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (!read(header_.e_shoff + i * sizeof(Elf64_Shdr), sections_[i])) return fail("sections are cut off");
  }
  return true;
}

Group group_of(const Elf64_Shdr& section) {
  if ((section.sh_flags & SHF_EXECINSTR) != 0) return Code;
  return (section.sh_flags & SHF_WRITE) != 0 ? Data : Constants;
}

bool is_loaded(const Elf64_Shdr& section) {
  return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_size != 0;
}

bool Linker::lay_out() {
  std::vector<std::size_t> offsets(sections_.size());
  std::size_t at = 0;
  for (unsigned group = 0; group < group_count; ++group) {
    at = group_offset_[group] = round_up(at, kPageSize);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      const Elf64_Shdr& section = sections_[i];
      if (!is_loaded(section) || group_of(section) != group) continue;
      const std::uint64_t alignment = std::max<std::uint64_t>(section.sh_addralign, 1);
      if ((alignment & (alignment - 1)) != 0 || alignment > kPageSize) return fail("a section's alignment");
      if (section.sh_size > kMostBytes) return fail("a section is too large");
      if (section.sh_type != SHT_NOBITS && !holds(section)) return fail("a section is cut off");
      at = offsets[i] = round_up(at, alignment);
      at += section.sh_size;
      if (at > kMostBytes) return fail("sections are too large");
    }
    if (group == Code) {
      // One stub for each symbol at most.
      for (const Elf64_Shdr& section : sections_) {
        if (section.sh_type == SHT_SYMTAB && holds(section)) stub_room_ = section.sh_size / sizeof(Elf64_Sym);
      }
      at = stubs_offset_ = round_up(at, sizeof(Stub));
      at += stub_room_ * sizeof(Stub);
    }
  }
  size = group_offset_[group_count] = round_up(std::max<std::size_t>(at, 1), kPageSize);
  void* const got = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) return fail("no memory");
  memory = static_cast<std::byte*>(got);
  places_.resize(sections_.size());
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    if (is_loaded(sections_[i])) places_[i] = memory + offsets[i];
  }
  return true;
}

bool Linker::copy_sections() {
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Elf64_Shdr& section = sections_[i];
    if (places_[i] != nullptr && section.sh_type != SHT_NOBITS)
      std::memcpy(places_[i], object_.data() + section.sh_offset, section.sh_size);
  }
  return true;
}

bool Linker::read_symbols() {
  for (const Elf64_Shdr& table : sections_) {
    if (table.sh_type != SHT_SYMTAB) continue;
    if (!holds(table) || table.sh_link >= sections_.size()) return fail("symbols are cut off");
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol = {};
      if (!read(table.sh_offset + at, symbol)) return fail("symbols are cut off");
      std::string_view name;
      if (!text_at(sections_[table.sh_link], symbol.st_name, name)) return fail("a symbol's name");
      const void* address = nullptr;
      if (symbol.st_shndx == SHN_UNDEF) {
        // Missed only by what uses it: assemblers name tables that nothing refers to.
        if (!name.empty()) address = resolve_(name);
        if (address == nullptr) missing_[symbols_.size()] = name;
      } else if (symbol.st_shndx < sections_.size() && places_[symbol.st_shndx] != nullptr) {
        if (symbol.st_value > sections_[symbol.st_shndx].sh_size) return fail("a symbol outside its section");
        address = places_[symbol.st_shndx] + symbol.st_value;
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) defined.emplace(name, address);
      }
      symbols_.push_back(reinterpret_cast<std::uint64_t>(address));
    }
    stubs_.resize(symbols_.size());
    return true;
  }
  return true;
}

Stub* Linker::stub_for(std::size_t symbol) {
  if (stubs_[symbol] != nullptr) return stubs_[symbol];
  if (stub_count_ == stub_room_) return nullptr;
  auto* const stub = reinterpret_cast<Stub*>(memory + stubs_offset_) + stub_count_++;
  *stub = Stub{};
  stub->target = symbols_[symbol];
  return stubs_[symbol] = stub;
}

bool Linker::relocate() {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type == SHT_RELA && section.sh_info < sections_.size() &&
        places_[section.sh_info] != nullptr && !relocate_section(section))
      return false;
  }
  return true;
}

bool Linker::relocate_section(const Elf64_Shdr& relocations) {
  if (!holds(relocations)) return fail("relocations are cut off");
  for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= relocations.sh_size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela relocation = {};
    if (!read(relocations.sh_offset + at, relocation)) return fail("relocations are cut off");
    if (!apply(relocation, sections_[relocations.sh_info], places_[relocations.sh_info])) return false;
  }
  return true;
}

bool Linker::apply(const Elf64_Rela& relocation, const Elf64_Shdr& target, std::byte* base) {
  const std::uint64_t index = ELF64_R_SYM(relocation.r_info);
  const std::uint64_t type = ELF64_R_TYPE(relocation.r_info);
  if (type == R_X86_64_NONE) return true;
  const std::size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
  if (index >= symbols_.size() || relocation.r_offset > target.sh_size ||
      width > target.sh_size - relocation.r_offset)
    return fail("a relocation outside its section");
  if (const auto missing = missing_.find(index); missing != missing_.end()) {
    why = "nothing is called " + missing->second;
    return false;
  }
  std::byte* const place = base + relocation.r_offset;
  std::uint64_t symbol = symbols_[index];
  const auto addend = static_cast<std::uint64_t>(relocation.r_addend);
  const auto here = reinterpret_cast<std::uint64_t>(place);
  const auto is_near = [&](std::uint64_t address) {
    const auto distance = static_cast<std::int64_t>(address + addend - here);
    return distance == static_cast<std::int32_t>(distance);
  };
  switch (type) {
    case R_X86_64_64:
      symbol += addend;
      std::memcpy(place, &symbol, width);
      return true;
    case R_X86_64_PC64:
      symbol += addend - here;
      std::memcpy(place, &symbol, width);
      return true;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX: {
      Stub* const stub = stub_for(index);
      if (stub == nullptr) return fail("too many addresses");
      symbol = reinterpret_cast<std::uint64_t>(&stub->target);
      break;
    }
    case R_X86_64_PLT32:
      if (!is_near(symbol)) {
        Stub* const stub = stub_for(index);
        if (stub == nullptr) return fail("too many addresses");
        symbol = reinterpret_cast<std::uint64_t>(stub);
      }
      break;
    case R_X86_64_PC32:
      break;
    default:
      return fail("a relocation of an unknown kind");
  }
  if (!is_near(symbol)) return fail("a relocation that reaches too far");
  const auto value = static_cast<std::uint32_t>(symbol + addend - here);
  std::memcpy(place, &value, width);
  return true;
}

bool Linker::protect() {
  for (unsigned group = 0; group < group_count; ++group) {
    const std::size_t bytes = round_up(group_offset_[group + 1], kPageSize) - group_offset_[group];
    if (bytes != 0 && mprotect(memory + group_offset_[group], bytes, kProtections[group]) != 0)
      return fail("the system does not let code be made");
  }
  return true;
}

}  // namespace

std::unique_ptr<LoadedObject> LoadedObject::load(std::span<const std::byte> object, const Resolve& resolve,
                                                 std::string& why) {
  Linker linker(object, resolve);
  const bool linked = linker.link();
  std::unique_ptr<LoadedObject> loaded(new LoadedObject);
  loaded->memory_ = linker.memory;
  loaded->size_ = linker.size;
  why = linker.why;
  if (!linked) return nullptr;
  loaded->symbols_ = std::make_unique<Symbols>();
  loaded->symbols_->addresses = std::move(linker.defined);
  return loaded;
}

LoadedObject::~LoadedObject() {
  if (memory_ != nullptr) munmap(memory_, size_);
}

const void* LoadedObject::find(std::string_view name) const {
  const auto found = symbols_->addresses.find(name);
  return found == symbols_->addresses.end() ? nullptr : found->second;
}

}  // namespace runner
