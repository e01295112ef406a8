// SPDX-License-Identifier: MIT
// What the names of a text mean: those of the module, and those inside the braces of one function.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "ptx/module.hpp"

namespace ptx {

struct Symbol {      // the meaning of a name that is no register
  std::string name;  // in the tree
  Space space = Space::Global;
  std::uint64_t size = 0, align = 1;
  bool function = false;
  std::uint64_t element = 0;  // bytes of one, of an array; of a vector, of one of its parts
};
Symbol symbol_of(const Variable& variable);

// Everything in the module's lists of functions and variables came through here, so that it is found by its
// name: a text may have a hundred thousand functions.
class ModuleNames {
 public:
  explicit ModuleNames(Module& module) : module_(module) {}
  const Module& module() const { return module_; }
  void use_short_addresses() { module_.address_size = 32; }

  const Symbol* find(std::string_view text) const;
  const Function* find_function(const std::string& name) const;  // as Module::find
  const Variable* find_variable(const std::string& name) const;
  // Places of all declarations and definitions of this name in the module.
  const std::vector<std::size_t>& functions_named(const std::string& name) { return functions_named_[name]; }

  // Appends it; the place is for replace(), when the body has been read.
  std::size_t add(Function function);
  void replace(std::size_t place, Function function) { module_.functions[place] = std::move(function); }
  // A variable may be declared several times, but defined only once.
  void add(Variable variable, int line, Errors& errors);
  // Without a look at its name: that of a variable from the body of a function is like no other.
  void append(Variable variable);

 private:
  Module& module_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::unordered_map<std::string, std::vector<std::size_t>> functions_named_;
  std::unordered_map<std::string, std::size_t> variables_named_;
};

struct Braces {  // one pair of braces
  int parent = -1;
  std::map<std::string, std::uint32_t, std::less<>> registers;
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>, std::less<>> groups;  // first, count
  std::map<std::string, std::uint32_t, std::less<>> vectors;  // name -> elements; they are registers "name.x"
  std::map<std::string, Symbol, std::less<>> symbols;
  std::map<std::string, std::uint32_t, std::less<>> labels;
  std::map<std::string, std::vector<std::string>, std::less<>> branch_targets;
};

// The braces of the function that is read, all of them, closed ones too: labels are looked up at the end. A
// name means what the innermost braces around it say; outside of functions, what the module says.
class Scopes {
 public:
  explicit Scopes(const ModuleNames& names) : names_(names) {}
  void begin_function();
  void end_function();
  void open();
  void close();
  void enter_outermost() { at_ = 0; }
  void leave() { at_ = -1; }

  bool inside() const { return at_ >= 0; }
  int number() const { return at_; }
  bool only_outermost() const { return braces_.size() == 1; }  // no others were opened so far
  Braces& innermost() { return braces_[static_cast<std::size_t>(at_)]; }
  Braces& outermost() { return braces_.front(); }

  bool find_register(std::string_view text, std::uint32_t& index) const;
  std::vector<std::uint32_t> find_vector(std::string_view text) const;  // its registers; empty: there is none
  const Symbol* find_symbol(std::string_view text) const;
  const Symbol* find_in_tree(std::string_view name) const;  // by its name in the tree, inside the function
  // As seen from the braces with this number.
  bool find_label(int scope, std::string_view text, std::uint32_t& index) const;
  const std::vector<std::string>* find_targets(int scope, std::string_view text) const;

 private:
  const Braces& braces(int number) const { return braces_[static_cast<std::size_t>(number)]; }

  const ModuleNames& names_;
  std::vector<Braces> braces_;
  int at_ = -1;
};

// The names in one instruction that nothing declared, each once.
class UnknownNames {
 public:
  void clear() { names_.clear(); }
  void add(std::string_view name);
  bool has(std::string_view name) const;
  bool empty() const { return names_.empty(); }
  void tell(int line, Errors& errors);  // and forgets them

 private:
  std::vector<std::string> names_;
};

}  // namespace ptx
