// SPDX-License-Identifier: MIT
// See debug_file.hpp. Nothing here trusts the file, but libdw checks less than it should, so only a process
// that may crash may use this.
#include "debug_file.hpp"

#include <algorithm>
#include <cstdlib>

#include <cxxabi.h>
#include <dwarf.h>
#include <gelf.h>

namespace lines {
namespace {

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

}  // namespace

DebugFile::DebugFile(int descriptor) {
  elf_version(EV_CURRENT);
  // Read into memory, not mapped: the file may be written while we look.
  elf_ = elf_begin(descriptor, ELF_C_READ, nullptr);
  if (elf_ && elf_kind(elf_) == ELF_K_ELF) dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
}

// The scopes around an instruction, as they are nested in the code. libdw's own list goes on, after an
// inlined function, with the scopes in which that function was written.
DebugFile::Scopes::Scopes(Dwarf_Die* innermost) {
  const int count = innermost ? dwarf_getscopes_die(innermost, &dies_) : 0;
  count_ = static_cast<std::size_t>(std::max(count, 0));
}
DebugFile::Scopes::~Scopes() {
  if (count_ > 0) std::free(dies_);
}

// libdw looks for functions in the unit itself, and not in its namespaces.
DebugFile::Innermost DebugFile::innermost(Dwarf_Die* unit, Dwarf_Addr inside) {
  Innermost found;
  if (!unit) return found;
  Dwarf_Die* scopes = nullptr;
  if (dwarf_getscopes(unit, inside, &scopes) > 0) {
    found.known = true;
    found.scope = scopes[0];
    std::free(scopes);
  }
  if (found.known && dwarf_tag(&found.scope) != DW_TAG_compile_unit) return found;
  for (const FunctionRange& one : functions_in_namespaces(unit)) {
    if (inside < one.range.from || inside >= one.range.to) continue;
    if (!dwarf_offdie(dwarf_, one.function, &found.scope)) return {};
    found.known = found.in_namespace = true;
    break;
  }
  if (!found.in_namespace) return found;
  Dwarf_Die child;
  for (bool deeper = true; deeper;) {
    deeper = false;
    if (dwarf_child(&found.scope, &child) != 0) break;
    do deeper = dwarf_haspc(&child, inside) == 1;
    while (!deeper && dwarf_siblingof(&child, &child) == 0);
    if (deeper) found.scope = child;
  }
  return found;
}

const std::vector<DebugFile::FunctionRange>& DebugFile::functions_in_namespaces(Dwarf_Die* unit) {
  const auto [kept, fresh] = in_namespaces_.try_emplace(dwarf_dieoffset(unit));
  if (!fresh) return kept->second;
  std::vector<Dwarf_Die> outer{*unit};
  while (!outer.empty()) {
    Dwarf_Die parent = outer.back(), child;
    outer.pop_back();
    if (dwarf_child(&parent, &child) != 0) continue;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_namespace) outer.push_back(child);
      if (tag != DW_TAG_subprogram || dwarf_tag(&parent) != DW_TAG_namespace) continue;
      Dwarf_Addr base = 0, from = 0, to = 0;
      for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &from, &to)) > 0;)
        if (from < to) kept->second.push_back({{from, to}, dwarf_dieoffset(&child)});
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  return kept->second;
}

std::vector<lab::StackFrame> DebugFile::frames(std::uint64_t inside) {
  Dwarf_Die storage;
  Dwarf_Die* const unit = dwarf_ ? unit_of(inside, &storage) : nullptr;
  Innermost in = innermost(unit, inside);
  const Scopes scopes(in.known ? &in.scope : nullptr);
  const std::vector<lab::SourcePlace> where = places(unit, scopes, inside);
  std::vector<std::string> names = functions(scopes, in.in_namespace, inside);
  std::vector<lab::StackFrame> found(std::max(where.size(), names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) found[i].function = std::move(names[i]);
  for (std::size_t i = 0; i < where.size(); ++i) {
    found[i].file = where[i].file;
    found[i].line = where[i].line;
  }
  return found;
}

// clang does not write the table in which libdw looks up addresses (.debug_aranges), so the ranges are
// collected once from the units.
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

// The places of the calls that were inlined around the instruction, from the innermost outwards.
void DebugFile::add_inlined(Dwarf_Die* unit, const Scopes& scopes, std::vector<lab::SourcePlace>& places) {
  Dwarf_Files* files = nullptr;
  if (dwarf_getsrcfiles(unit, &files, nullptr) != 0) return;
  for (Dwarf_Die& scope : scopes) {
    if (dwarf_tag(&scope) != DW_TAG_inlined_subroutine) continue;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    const bool known = dwarf_formudata(dwarf_attr(&scope, DW_AT_call_file, &attribute), &file) == 0 &&
                       dwarf_formudata(dwarf_attr(&scope, DW_AT_call_line, &attribute), &line) == 0;
    const char* name = known ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
    if (name != nullptr && line > 0 && line <= lab::kMostLines)
      places.push_back({name, static_cast<std::uint32_t>(line)});
  }
}

// Innermost first; empty: not known.
std::vector<lab::SourcePlace> DebugFile::places(Dwarf_Die* unit, const Scopes& scopes, std::uint64_t inside) {
  std::vector<lab::SourcePlace> places;
  Dwarf_Line* line = unit ? dwarf_getsrc_die(unit, inside) : nullptr;
  if (!line) return places;
  int number = 0;
  const char* file = dwarf_linesrc(line, nullptr, nullptr);
  if (!file || dwarf_lineno(line, &number) != 0 || number <= 0) return places;
  places.push_back({file, static_cast<std::uint32_t>(number)});
  add_inlined(unit, scopes, places);
  return places;
}

// A function in a namespace has the name of its symbol, which has the namespace in it.
std::vector<std::string> DebugFile::functions(const Scopes& scopes, bool in_namespace, std::uint64_t inside) {
  std::vector<std::string> names;
  for (Dwarf_Die& scope : scopes) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    const char* name = dwarf_diename(&scope);
    if (tag == DW_TAG_subprogram && in_namespace)
      names.push_back(symbol(inside));
    else
      names.push_back(name != nullptr ? name : "");
    if (tag == DW_TAG_subprogram) break;
  }
  if (names.empty()) names.push_back(symbol(inside));
  return names;
}

void DebugFile::read_symbols() {
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

// From the file's own tables, which also a file without debug information has.
std::string DebugFile::symbol(std::uint64_t inside) {
  if (!symbols_read_) read_symbols();
  const auto after = std::partition_point(symbols_.begin(), symbols_.end(),
                                          [inside](const Symbol& one) { return one.range.from <= inside; });
  if (after == symbols_.begin() || inside >= std::prev(after)->range.to) return {};
  return readable(std::prev(after)->name);
}

}  // namespace lines
