// SPDX-License-Identifier: MIT
// Functions of PTX: headers, parameters, performance directives, bodies with their braces, labels and
// registers. Names that are scoped in the text are unique in the tree.
#include <algorithm>
#include <limits>

#include "parser.hpp"

namespace ptx {
namespace {

constexpr std::uint32_t kMostRegisters = 1U << 20;
constexpr std::size_t kMostDepth = 256;
constexpr std::uint64_t kOldParameterLimit = 4352;
constexpr std::uint64_t kParameterLimit = 32764;

std::string hex(std::uint64_t value) {
  std::string text;
  do text.insert(text.begin(), "0123456789abcdef"[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + text;
}

}  // namespace

// ---- names

bool Parser::find_register(std::string_view text, std::uint32_t& index) const {
  for (int at = scope_; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    const Braces& braces = scopes_[static_cast<std::size_t>(at)];
    if (const auto found = braces.registers.find(text); found != braces.registers.end()) {
      index = found->second;
      return true;
    }
    // %r12 of a group %r<20>: the digits may begin anywhere.
    for (std::size_t cut = text.size(); cut > 0 && text[cut - 1] >= '0' && text[cut - 1] <= '9'; --cut) {
      const std::string_view digits = text.substr(cut - 1);
      if (digits.size() > 7 || (digits.size() > 1 && digits[0] == '0')) continue;
      const auto group = braces.groups.find(text.substr(0, cut - 1));
      if (group == braces.groups.end()) continue;
      std::uint32_t number = 0;
      for (const char digit : digits) number = number * 10 + static_cast<std::uint32_t>(digit - '0');
      if (number >= group->second.second) continue;
      index = group->second.first + number;
      return true;
    }
  }
  return false;
}

const Symbol* Parser::find_symbol(std::string_view text) const {
  for (int at = scope_; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    const Braces& braces = scopes_[static_cast<std::size_t>(at)];
    if (const auto found = braces.symbols.find(text); found != braces.symbols.end()) return &found->second;
  }
  const auto found = symbols_.find(text);
  return found == symbols_.end() ? nullptr : &found->second;
}

// As Module::find.
const Function* Parser::find_function(const std::string& name) const {
  const auto found = functions_named_.find(name);
  if (found == functions_named_.end() || found->second.empty()) {
    const auto alias = module_.aliases.find(name);
    return alias != module_.aliases.end() && alias->second != name ? find_function(alias->second) : nullptr;
  }
  for (const std::size_t place : found->second) {
    if (!module_.functions[place].external) return &module_.functions[place];
  }
  return &module_.functions[found->second.back()];
}

bool Parser::find_label(int scope, std::string_view text, std::uint32_t& index) const {
  for (int at = scope; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    const Braces& braces = scopes_[static_cast<std::size_t>(at)];
    const auto found = braces.labels.find(text);
    if (found == braces.labels.end()) continue;
    index = found->second;
    return true;
  }
  return false;
}

const std::vector<std::string>* Parser::find_targets(int scope, std::string_view text) const {
  for (int at = scope; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    const Braces& braces = scopes_[static_cast<std::size_t>(at)];
    const auto found = braces.branch_targets.find(text);
    if (found != braces.branch_targets.end()) return &found->second;
  }
  return nullptr;
}

// ---- headers

std::vector<Parameter> Parser::parameters(std::vector<bool>& in_register, bool entry, bool named) {
  std::vector<Parameter> list;
  expect("(");
  std::uint64_t offset = 0;
  while (!accept(")")) {
    const bool reg = accept(".reg");
    const bool stored = reg || accept(".param");
    const Declaration declared = declaration(Space::Param);
    Parameter parameter;
    parameter.name = declared.variable.name;
    if (entry && (reg || !stored)) {
      error(declared.line, "Entry parameter '" + parameter.name + "' must have .param state space");
      if (!stored) fatal(declared.line, "No variable storage specified");
    }
    parameter.type = declared.variable.type;
    parameter.align = declared.variable.align;
    parameter.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(declared.variable.size, 1U << 24));
    const auto same = [&](const Parameter& other) { return other.name == parameter.name; };
    if (named && std::any_of(list.begin(), list.end(), same)) {
      error(declared.line, "Duplicate definition of variable '" + parameter.name + "'");
    }
    offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
    parameter.offset = static_cast<std::uint32_t>(offset);
    offset += parameter.size;
    if (offset > (1U << 26)) fatal(declared.line, "Formal parameter space overflowed");
    list.push_back(std::move(parameter));
    in_register.push_back(reg);
    if (!at(")")) expect(",");
  }
  return list;
}

void Parser::performance_numbers(Function& function, const Token& word) {
  std::uint64_t numbers[3] = {1, 1, 1}, product = 1;
  std::size_t count = 0;
  do {
    const std::uint64_t n = std::min<std::uint64_t>(integer(), std::numeric_limits<std::uint32_t>::max());
    if (n == 0) {
      error(word.line, "Positive non-zero value expected for " + std::string(word.text.substr(1)));
    }
    if (count < 3) numbers[count++] = n;
    product = std::min<std::uint64_t>(product * n, std::numeric_limits<std::uint32_t>::max());
  } while (accept(","));
  const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
  if (word.text == ".maxntid" || word.text == ".reqntid") {
    if (function.max_threads != 0) {
      error(word.line, "Conflicting directives: .maxntid and .reqntid cannot both be specified");
    }
    function.max_threads = narrow(product);
    if (word.text == ".reqntid") std::transform(numbers, numbers + 3, function.required_threads, narrow);
  } else if (word.text == ".minnctapersm" || word.text == ".maxnctapersm") {
    function.min_blocks = narrow(numbers[0]);
  } else if (word.text == ".maxnreg") {
    function.max_registers = narrow(numbers[0]);
  }
}

// .maxntid and its like, between the header and the body.
void Parser::performance(Function& function) {
  static constexpr std::string_view numbered[] = {".maxntid",          ".reqntid", ".minnctapersm",
                                                  ".maxnctapersm",     ".maxnreg", ".maxclusterrank",
                                                  ".reqnctapercluster"};
  while (peek().kind == Token::Kind::Directive) {
    const Token word = take();
    if (word.text == ".noreturn") {
      function.no_return = true;
    } else if (word.text == ".pragma") {
      skip_statement();
    } else if (std::find(std::begin(numbered), std::end(numbered), word.text) != std::end(numbered)) {
      performance_numbers(function, word);
    } else if (word.text == ".abi_preserve" || word.text == ".abi_preserve_control") {
      integer();
    } else if (word.text != ".blocksareclusters" && word.text != ".explicitcluster") {
      syntax(word);
    }
  }
}

// Compared with earlier declarations of the same name, and with the limits.
void Parser::check_header(const Function& function) {
  const auto quoted = "'" + function.name + "'";
  if (const auto known = symbols_.find(function.name); known != symbols_.end() && !known->second.function) {
    error(function.line, "Inconsistent redefinition of variable " + quoted);
    error(function.line, "Duplicate definition of function " + quoted);
    fatal(function.line, "Inconsistent redefinition of symbol " + quoted);
  }
  for (const std::size_t place : functions_named_[function.name]) {
    const Function& before = module_.functions[place];
    if (before.kernel != function.kernel) {
      error(function.line, "Inconsistent redefinition of " + quoted + " as entry and function");
    } else if (before.parameters.size() != function.parameters.size()) {
      error(function.line, "Inconsistent prototypes of " + quoted + ", number of parameters differ");
    }
    if (!before.external && !function.external)
      error(function.line, "Duplicate definition of function " + quoted);
  }
  if (!function.kernel || function.parameters.empty()) return;
  const std::uint64_t bytes = function.parameter_bytes;
  const bool old = module_.version_major < 8 || (module_.version_major == 8 && module_.version_minor < 1);
  const std::uint64_t limit = old ? kOldParameterLimit : kParameterLimit;
  if (bytes <= limit) return;
  error(function.line, "Entry function " + quoted + " uses too much parameter space (" + hex(bytes) +
                           " bytes, " + hex(limit) + " max).");
  if (old) {
    error(function.line,
          "Feature 'Kernel parameter size larger than 4352 bytes' requires PTX ISA .version 8.1 or later");
  }
}

void Parser::function(bool kernel, const Linkage& linkage) {
  Function function;
  std::vector<bool> results_in, parameters_in;
  function.kernel = kernel;
  function.visible = linkage.visible;
  function.weak = linkage.weak;
  scopes_.clear();
  scope_ = -1;
  // Attributes before the name change nothing here.
  while (accept(".attribute")) {
    expect("(");
    while (!at(")") && peek().kind != Token::Kind::End) take();
    expect(")");
  }
  if (!kernel && at("(")) function.results = parameters(results_in, false, true);
  const Token word = name();
  function.name = word.text;
  function.line = word.line;
  if (at("(")) function.parameters = parameters(parameters_in, kernel, true);
  if (!function.parameters.empty()) {
    function.parameter_bytes = function.parameters.back().offset + function.parameters.back().size;
  }
  performance(function);
  function.external = at(";");
  check_header(function);
  symbols_[function.name] = Symbol{function.name, Space::Global, 8, 8, true};
  functions_named_[function.name].push_back(module_.functions.size());
  if (accept(";")) {
    module_.functions.push_back(std::move(function));
    return;
  }
  // The header goes in first, so that the function can call itself.
  Function header;
  header.name = function.name;
  header.kernel = kernel;
  header.results = function.results;
  header.parameters = function.parameters;
  header.external = true;
  const std::size_t place = module_.functions.size();
  module_.functions.push_back(std::move(header));
  body(function, results_in, parameters_in);
  module_.functions[place] = std::move(function);
}

// ---- bodies

void Parser::add_register(Function& function, const std::string& name, Type type) {
  if (function.registers.size() >= kMostRegisters) fatal(peek().line, "Too many registers");
  function.registers.push_back(name);
  function.register_types.push_back(type);
}

// .reg .b32 %r<7>;  .reg .pred p, q;  .reg .v4 .f32 v;
void Parser::registers(Function& function) {
  Braces& braces = scopes_[static_cast<std::size_t>(scope_)];
  unsigned lanes = 1;
  if (at(".v2") || at(".v4")) lanes = static_cast<unsigned>(take().text[2] - '0');
  const Type type = type_word();
  if (at(".v2") || at(".v4")) lanes = static_cast<unsigned>(take().text[2] - '0');
  do {
    const Token word = name();
    std::string base(word.text);
    const auto next = static_cast<std::uint32_t>(function.registers.size());
    const bool taken = braces.registers.count(base) != 0 || braces.symbols.count(base) != 0;
    if (accept("<")) {
      // No expression: ">" ends it.
      if (peek().kind != Token::Kind::Number || peek().float_literal) syntax(peek());
      const std::uint64_t count = take().bits;
      expect(">");
      if (count > kMostRegisters || function.registers.size() + count > kMostRegisters)
        fatal(word.line, "Too many registers");
      if (!braces.groups.emplace(base, std::pair(next, static_cast<std::uint32_t>(count))).second) {
        error(word.line, "Duplicate definition of variable '" + base + "<'");
      }
      for (std::uint64_t i = 0; i < count; ++i) add_register(function, base + std::to_string(i), type);
      continue;
    }
    if (taken) error(word.line, "Duplicate definition of variable '" + base + "'");
    if (lanes == 1) {
      braces.registers[base] = next;
      add_register(function, base, type);
      continue;
    }
    braces.vectors[base] = lanes;
    for (unsigned i = 0; i < lanes; ++i) {
      braces.registers[base + "." + "xyzw"[i]] = next + i;
      braces.registers[base + "." + "rgba"[i]] = next + i;
      add_register(function, base + "." + "xyzw"[i], type);
    }
  } while (accept(","));
  expect(";");
}

// .local, .shared and .param stay with the function; .global and .const become the module's, under a name of
// their own, and .shared has one, too: a kernel and the functions that it calls lay theirs out side by side.
// Call sequences reuse the names of their .param variables: the largest one serves them all.
void Parser::scoped_variables(Function& function) {
  const std::string_view word = take().text;
  const Space space = word == ".local"    ? Space::Local
                      : word == ".shared" ? Space::Shared
                      : word == ".param"  ? Space::Param
                      : word == ".const"  ? Space::Const
                                          : Space::Global;
  Declaration declared = declaration(space);
  Variable variable = std::move(declared.variable);
  const std::string text = variable.name;
  Braces& braces = scopes_[static_cast<std::size_t>(scope_)];
  std::uint32_t reg = 0;
  if (braces.symbols.count(text) != 0 || (find_register(text, reg) && scopes_.size() == 1))
    error(declared.line, "Duplicate definition of variable '" + text + "'");
  const bool visible = find_symbol(text) != nullptr;
  const bool module_wide = space == Space::Const || space == Space::Global;
  const auto same = std::find_if(function.locals.begin(), function.locals.end(),
                                 [&](const Variable& known) { return known.name == text; });
  const bool shares = space == Space::Param && !visible && same != function.locals.end();
  if (module_wide || space == Space::Shared || ((visible || same != function.locals.end()) && !shares)) {
    // "$" cannot follow a name's own digits in compiled code, and a second use counts on.
    variable.name = function.name + "$" + text + "$" + std::to_string(used_names_[function.name + text]++);
  }
  braces.symbols[text] = Symbol{variable.name,  space, variable.size,
                                variable.align, false, variable.array ? size_of(variable.type) : 0};
  declared.variable = std::move(variable);
  const bool initialised = accept("=");
  if (initialised) initialiser(declared);
  check_variable(declared, Linkage{}, initialised);
  braces.symbols[text].size = declared.variable.size;
  expect(";");
  if (module_wide) {
    variables_named_.emplace(declared.variable.name, module_.variables.size());
    module_.variables.push_back(std::move(declared.variable));
  } else if (shares) {
    same->size = std::max(same->size, declared.variable.size);
    same->align = std::max(same->align, declared.variable.align);
  } else {
    function.locals.push_back(std::move(declared.variable));
  }
}

// name: and what may follow it: a prototype, targets, or code.
void Parser::labelled(Function& function) {
  const Token label = take();
  take();
  Braces& braces = scopes_[static_cast<std::size_t>(scope_)];
  const std::string text(label.text);
  if (accept(".callprototype")) {
    function.prototypes[text] = prototype();
    return skip_statement();
  }
  if (at(".calltargets") || at(".branchtargets")) {
    const bool calls = take().text == ".calltargets";
    std::vector<std::string> names;
    do names.emplace_back(name().text);
    while (accept(","));
    expect(";");
    if (!calls) {
      braces.branch_targets[text] = std::move(names);
    } else if (const Function* first = find_function(names.front()); first != nullptr) {
      function.prototypes[text] = Prototype{first->results, first->parameters};
    }
    return;
  }
  if (!braces.labels.emplace(text, static_cast<std::uint32_t>(function.body.size())).second) {
    error(label.line, "Duplicate definition of label '" + text + "'");
  }
}

void Parser::statement(Function& function) {
  const Token& token = peek();
  if (token.kind == Token::Kind::Name && peek(1).text == ":") return labelled(function);
  if (token.kind != Token::Kind::Directive) return instruction(function);
  if (token.text == ".reg") {
    take();
    return registers(function);
  }
  static constexpr std::string_view spaces[] = {".local", ".shared", ".param", ".const", ".global"};
  if (std::find(std::begin(spaces), std::end(spaces), token.text) != std::end(spaces))
    return scoped_variables(function);
  if (token.text == ".loc" || token.text == ".file") return skip_line(token.line);
  if (token.text == ".pragma") return skip_statement();
  syntax(token);
}

void Parser::body(Function& function, const std::vector<bool>& results_in,
                  const std::vector<bool>& parameters_in) {
  scopes_.assign(1, Braces{});
  scope_ = 0;
  scope_of_.clear();
  result_registers_.clear();
  used_names_.clear();
  Instruction like;
  like.line = function.line;
  const auto declare = [&](const Parameter& parameter, bool in_register) {
    if (!in_register) {
      scopes_[0].symbols[parameter.name] =
          Symbol{parameter.name, Space::Param,
                 parameter.size, parameter.align,
                 false,          parameter.size > size_of(parameter.type) ? size_of(parameter.type) : 0};
      return Operand{};
    }
    Operand reg;
    reg.kind = Operand::Kind::Register;
    reg.reg = static_cast<std::uint32_t>(function.registers.size());
    scopes_[0].registers[parameter.name] = reg.reg;
    add_register(function, parameter.name, parameter.type);
    return reg;
  };
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    declare(function.results[i], results_in[i]);
    result_registers_.push_back(results_in[i] ? function.results[i].name : "");
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    const Operand reg = declare(parameter, parameters_in[i]);
    if (parameters_in[i])
      function.body.push_back(parameter_access(true, reg, parameter.name, parameter.type, like));
  }
  scope_of_.assign(function.body.size(), 0);
  expect("{");
  while (scope_ >= 0) {
    if (peek().kind == Token::Kind::End) syntax(peek());
    if (accept("{")) {
      if (++depth_ > kMostDepth) fatal(peek().line, "Blocks are nested too deeply");
      scopes_.push_back(Braces{});
      scopes_.back().parent = scope_;
      scope_ = static_cast<int>(scopes_.size()) - 1;
    } else if (accept("}")) {
      scope_ = scopes_[static_cast<std::size_t>(scope_)].parent;
      depth_ -= depth_ > 0 ? 1 : 0;
    } else if (!accept(";")) {
      statement(function);
      scope_of_.resize(function.body.size(), scope_);
    }
  }
  const bool stores = std::any_of(results_in.begin(), results_in.end(), [](bool in) { return in; });
  if (stores &&
      (function.body.empty() || function.body.back().opcode != Opcode::Ret || function.body.back().guarded)) {
    scope_ = 0;
    like.root = "ret";
    finish(function, like);  // the end of the body returns as well
    scope_ = -1;
    scope_of_.resize(function.body.size(), 0);
  }
  resolve(function);
}

// Branches learn where they go.
void Parser::resolve(Function& function) {
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    Instruction& instruction = function.body[i];
    const bool indexed = instruction.opcode == Opcode::Brx;
    if (instruction.opcode != Opcode::Bra && !indexed) continue;
    std::vector<std::string> names;
    const std::size_t first = indexed ? 1 : 0;
    for (std::size_t j = first; j < instruction.operands.size(); ++j) {
      const Operand& operand = instruction.operands[j];
      if (operand.kind != Operand::Kind::Label) continue;
      const std::vector<std::string>* list = indexed ? find_targets(scope_of_[i], operand.name) : nullptr;
      if (list != nullptr)
        names = *list;
      else
        names.push_back(operand.name);
    }
    for (const std::string& text : names) {
      std::uint32_t target = 0;
      if (!find_label(scope_of_[i], text, target)) {
        if (indexed) error(instruction.line, "Arguments mismatch for instruction 'brx.idx'");
        error(instruction.line, "Unknown symbol '" + text + "'");
      }
      instruction.target = target;
      if (indexed) instruction.targets.push_back(target);
    }
  }
}

}  // namespace ptx
