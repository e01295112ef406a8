// SPDX-License-Identifier: MIT
// The debug information of one executable or library, read by libdw: the functions and lines of an address.
// Used only by driverlab-lines, whose process may crash on a damaged file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

#include "lab/source_lines.hpp"

namespace lines {

// Its addresses are those in the file. It is never closed: it is used as long as the process runs.
class DebugFile {
 public:
  explicit DebugFile(int descriptor);
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  // The functions that contain the address, innermost first, with inlined ones; at least one.
  std::vector<lab::StackFrame> frames(std::uint64_t inside);

 private:
  struct Range {
    std::uint64_t from = 0, to = 0;
  };
  struct UnitRange {
    Range range;
    Dwarf_Off unit = 0;  // of the compilation unit that it belongs to
  };
  struct FunctionRange {
    Range range;
    Dwarf_Off function = 0;
  };
  struct Symbol {
    Range range;
    const char* name;  // in elf_
  };

  class Scopes {
   public:
    explicit Scopes(Dwarf_Die* innermost);  // null: none
    Scopes(const Scopes&) = delete;
    Scopes& operator=(const Scopes&) = delete;
    ~Scopes();
    Dwarf_Die* begin() const { return dies_; }
    Dwarf_Die* end() const { return dies_ + count_; }

   private:
    Dwarf_Die* dies_ = nullptr;
    std::size_t count_ = 0;
  };

  struct Innermost {
    bool known = false, in_namespace = false;
    Dwarf_Die scope;
  };
  Innermost innermost(Dwarf_Die* unit, Dwarf_Addr inside);
  const std::vector<FunctionRange>& functions_in_namespaces(Dwarf_Die* unit);

  void read_units();
  void read_symbols();
  Dwarf_Die* unit_of(std::uint64_t inside, Dwarf_Die* storage);
  static std::vector<lab::SourcePlace> places(Dwarf_Die* unit, const Scopes& scopes, std::uint64_t inside);
  static void add_inlined(Dwarf_Die* unit, const Scopes& scopes, std::vector<lab::SourcePlace>& places);
  std::vector<std::string> functions(const Scopes& scopes, bool in_namespace, std::uint64_t inside);
  std::string symbol(std::uint64_t inside);

  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  bool units_read_ = false, symbols_read_ = false;
  std::vector<Symbol> symbols_;                                    // by address
  std::vector<UnitRange> units_;                                   // by address
  std::map<Dwarf_Off, std::vector<FunctionRange>> in_namespaces_;  // of each unit that was asked about
};

}  // namespace lines
