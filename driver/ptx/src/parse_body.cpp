// SPDX-License-Identifier: MIT
// See parse_body.hpp.
#include "parse_body.hpp"

#include <algorithm>

#include "constants.hpp"

namespace ptx {

// .reg .b32 %r<7>;  .reg .pred p, q;  .reg .v4 .f32 v;
void BodyReader::registers(Function& function) {
  Braces& braces = scopes_.innermost();
  unsigned lanes = 1;
  if (text_.at(".v2") || text_.at(".v4")) lanes = static_cast<unsigned>(text_.take().text[2] - '0');
  const Type type = type_word(text_);
  if (text_.at(".v2") || text_.at(".v4")) lanes = static_cast<unsigned>(text_.take().text[2] - '0');
  do {
    const Token word = text_.name();
    std::string base(word.text);
    const auto next = static_cast<std::uint32_t>(function.registers.size());
    const bool taken = braces.registers.count(base) != 0 || braces.symbols.count(base) != 0;
    if (text_.accept("<")) {
      // No expression: ">" ends it.
      if (text_.peek().kind != Token::Kind::Number || text_.peek().float_literal) syntax(text_.peek());
      const std::uint64_t count = text_.take().bits;
      text_.expect(">");
      if (count > kMostRegisters || function.registers.size() + count > kMostRegisters)
        fatal(word.line, "Too many registers");
      if (!braces.groups.emplace(base, std::pair(next, static_cast<std::uint32_t>(count))).second) {
        errors_.add(word.line, "Duplicate definition of variable '" + base + "<'");
      }
      for (std::uint64_t i = 0; i < count; ++i)
        add_register(function, base + std::to_string(i), type, text_.peek().line);
      continue;
    }
    if (taken) errors_.add(word.line, "Duplicate definition of variable '" + base + "'");
    if (lanes == 1) {
      braces.registers[base] = next;
      add_register(function, base, type, text_.peek().line);
      continue;
    }
    braces.vectors[base] = lanes;
    for (unsigned i = 0; i < lanes; ++i) {
      braces.registers[base + "." + "xyzw"[i]] = next + i;
      braces.registers[base + "." + "rgba"[i]] = next + i;
      add_register(function, base + "." + "xyzw"[i], type, text_.peek().line);
    }
  } while (text_.accept(","));
  text_.expect(";");
}

// .local, .shared and .param stay with the function; .global and .const become the module's, under a name of
// their own, and .shared has one, too: a kernel and the functions that it calls lay theirs out side by side.
// Call sequences reuse the names of their .param variables: the largest one serves them all.
void BodyReader::scoped_variable(Function& function) {
  const std::string_view word = text_.take().text;
  const Space space = word == ".local"    ? Space::Local
                      : word == ".shared" ? Space::Shared
                      : word == ".param"  ? Space::Param
                      : word == ".const"  ? Space::Const
                                          : Space::Global;
  Declaration declared = variables_.declaration(space);
  Variable variable = std::move(declared.variable);
  const std::string text = variable.name;
  Braces& braces = scopes_.innermost();
  std::uint32_t reg = 0;
  if (braces.symbols.count(text) != 0 || (scopes_.find_register(text, reg) && scopes_.only_outermost()))
    errors_.add(declared.line, "Duplicate definition of variable '" + text + "'");
  const bool visible = scopes_.find_symbol(text) != nullptr;
  const bool module_wide = space == Space::Const || space == Space::Global;
  const auto same = std::find_if(function.locals.begin(), function.locals.end(),
                                 [&](const Variable& known) { return known.name == text; });
  const bool shares = space == Space::Param && !visible && same != function.locals.end();
  if (module_wide || space == Space::Shared || ((visible || same != function.locals.end()) && !shares)) {
    // "$" cannot follow a name's own digits in compiled code, and a second use counts on.
    variable.name = function.name + "$" + text + "$" + std::to_string(used_names_[function.name + text]++);
  }
  braces.symbols[text] = symbol_of(variable);
  declared.variable = std::move(variable);
  variables_.definition(declared, Linkage{});
  braces.symbols[text].size = declared.variable.size;
  text_.expect(";");
  if (module_wide) {
    names_.append(std::move(declared.variable));
  } else if (shares) {
    same->size = std::max(same->size, declared.variable.size);
    same->align = std::max(same->align, declared.variable.align);
  } else {
    function.locals.push_back(std::move(declared.variable));
  }
}

// name: and what may follow it: a prototype, targets, or code.
void BodyReader::labelled(Function& function) {
  const Token label = text_.take();
  text_.take();
  Braces& braces = scopes_.innermost();
  const std::string text(label.text);
  if (text_.accept(".callprototype")) {
    function.prototypes[text] = parameters_.prototype();
    return text_.skip_statement();
  }
  if (text_.at(".calltargets") || text_.at(".branchtargets")) {
    const bool calls = text_.take().text == ".calltargets";
    std::vector<std::string> names;
    do names.emplace_back(text_.name().text);
    while (text_.accept(","));
    text_.expect(";");
    if (!calls) {
      braces.branch_targets[text] = std::move(names);
    } else if (const Function* first = names_.find_function(names.front()); first != nullptr) {
      function.prototypes[text] = Prototype{first->results, first->parameters};
    }
    return;
  }
  if (!braces.labels.emplace(text, static_cast<std::uint32_t>(function.body.size())).second) {
    errors_.add(label.line, "Duplicate definition of label '" + text + "'");
  }
}

void BodyReader::statement(Function& function) {
  const Token& token = text_.peek();
  if (token.kind == Token::Kind::Name && text_.peek(1).text == ":") return labelled(function);
  if (token.kind != Token::Kind::Directive) return instructions_.read(function);
  if (token.text == ".reg") {
    text_.take();
    return registers(function);
  }
  static constexpr std::string_view kSpaces[] = {".local", ".shared", ".param", ".const", ".global"};
  if (std::find(std::begin(kSpaces), std::end(kSpaces), token.text) != std::end(kSpaces))
    return scoped_variable(function);
  if (token.text == ".loc" || token.text == ".file") return text_.skip_line(token.line);
  if (token.text == ".pragma") return text_.skip_statement();
  syntax(token);
}

void BodyReader::declare_parameters(Function& function, const std::vector<bool>& results_in,
                                    const std::vector<bool>& parameters_in) {
  Instruction like;
  like.line = function.line;
  const auto declare = [&](const Parameter& parameter, bool in_register) {
    if (!in_register) {
      scopes_.outermost().symbols[parameter.name] =
          Symbol{parameter.name, Space::Param,
                 parameter.size, parameter.align,
                 false,          parameter.size > size_of(parameter.type) ? size_of(parameter.type) : 0};
      return Operand{};
    }
    Operand reg;
    reg.kind = Operand::Kind::Register;
    reg.reg = static_cast<std::uint32_t>(function.registers.size());
    scopes_.outermost().registers[parameter.name] = reg.reg;
    add_register(function, parameter.name, parameter.type, text_.peek().line);
    return reg;
  };
  std::vector<std::string> in_registers;
  for (std::size_t i = 0; i < function.results.size(); ++i) {
    declare(function.results[i], results_in[i]);
    in_registers.push_back(results_in[i] ? function.results[i].name : "");
  }
  instructions_.set_results(std::move(in_registers));
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    const Operand reg = declare(parameter, parameters_in[i]);
    if (parameters_in[i])
      function.body.push_back(parameter_access(true, reg, parameter.name, parameter.type, like));
  }
}

void BodyReader::read(Function& function, const std::vector<bool>& results_in,
                      const std::vector<bool>& parameters_in) {
  scopes_.begin_function();
  scope_of_.clear();
  used_names_.clear();
  declare_parameters(function, results_in, parameters_in);
  scope_of_.assign(function.body.size(), 0);
  text_.expect("{");
  while (scopes_.inside()) {
    if (text_.at_end()) syntax(text_.peek());
    if (text_.accept("{")) {
      text_.open_block();
      scopes_.open();
    } else if (text_.accept("}")) {
      scopes_.close();
      text_.close_block();
    } else if (!text_.accept(";")) {
      statement(function);
      scope_of_.resize(function.body.size(), scopes_.number());
    }
  }
  const bool stores = std::any_of(results_in.begin(), results_in.end(), [](bool in) { return in; });
  if (stores &&
      (function.body.empty() || function.body.back().opcode != Opcode::Ret || function.body.back().guarded)) {
    scopes_.enter_outermost();
    Instruction like;
    like.line = function.line;
    like.root = "ret";
    instructions_.finish(function, like);  // the end of the body returns as well
    scopes_.leave();
    scope_of_.resize(function.body.size(), 0);
  }
  resolve(function);
}

// Branches learn where they go.
void BodyReader::resolve(Function& function) {
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    Instruction& instruction = function.body[i];
    const bool indexed = instruction.opcode == Opcode::Brx;
    if (instruction.opcode != Opcode::Bra && !indexed) continue;
    std::vector<std::string> names;
    const std::size_t first = indexed ? 1 : 0;
    for (std::size_t j = first; j < instruction.operands.size(); ++j) {
      const Operand& operand = instruction.operands[j];
      if (operand.kind != Operand::Kind::Label) continue;
      const std::vector<std::string>* list =
          indexed ? scopes_.find_targets(scope_of_[i], operand.name) : nullptr;
      if (list != nullptr)
        names = *list;
      else
        names.push_back(operand.name);
    }
    for (const std::string& text : names) {
      std::uint32_t target = 0;
      if (!scopes_.find_label(scope_of_[i], text, target)) {
        if (indexed) errors_.add(instruction.line, "Arguments mismatch for instruction 'brx.idx'");
        errors_.add(instruction.line, "Unknown symbol '" + text + "'");
      }
      instruction.target = target;
      if (indexed) instruction.targets.push_back(target);
    }
  }
}

}  // namespace ptx
