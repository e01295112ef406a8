// SPDX-License-Identifier: MIT
// See parser.hpp. Also ptx::parse(), for texts of several modules, and what a complete program must have.
#include <algorithm>
#include <cstdlib>

#include "constants.hpp"
#include "parser.hpp"
#include "passes.hpp"
#include "ptx/link.hpp"

namespace ptx {
namespace {

constexpr const char* kInput = "application ptx input";  // what the real driver calls a text in memory

constexpr int kTargets[] = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50,  52,  53,  60,  61,  62, 70,
                            72, 73, 75, 80, 82, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

}  // namespace

Parser::Parser(std::string_view text) : text_(text), rounds_twice_(text.starts_with(kRoundedTwice)) {}

// .version major.minor; what is newer than CUDA 13.0 knows is refused before anything else is read.
void Parser::version() {
  const Token number = text_.take();
  const std::string text(number.text);
  const std::size_t dot = text.find('.');
  if (number.kind != Token::Kind::Number || dot == std::string::npos) {
    fatal(number.line, std::string("Missing .version directive at start of file '") + kInput + "'");
  }
  module_.version_major = std::atoi(text.c_str());
  module_.version_minor = std::atoi(text.c_str() + dot + 1);
  constexpr int kNewestMajor = 9, kNewestMinor = 0;
  const bool newer = module_.version_major > kNewestMajor ||
                     (module_.version_major == kNewestMajor && module_.version_minor > kNewestMinor);
  if (!newer && module_.version_major >= 1) return;
  ParseError told;
  told.line = number.line;
  told.message = "Unsupported .version " + std::to_string(module_.version_major) + "." +
                 std::to_string(module_.version_minor) + "; current version is '9.0'";
  told.fatal = told.version = true;
  throw Failure{std::move(told)};
}

// .target sm_75[, debug]
void Parser::target() {
  const Token word = text_.name();
  module_.target = word.text;
  if (word.text.substr(0, 3) != "sm_") {
    fatal(word.line, std::string("Target architecture not defined at start of file '") + kInput + "'");
  }
  module_.target_number = std::atoi(module_.target.c_str() + 3);
  if (std::find(std::begin(kTargets), std::end(kTargets), module_.target_number) == std::end(kTargets)) {
    fatal(word.line, "Unsupported .target '" + module_.target + "'");
  }
  while (text_.accept(",")) text_.name();
}

void Parser::header() {
  if (!text_.at(".version")) {
    // The assembler has read the whole first statement when it reports this.
    const int line = text_.peek().line;
    if (text_.peek().kind == Token::Kind::Directive) text_.skip_line(line);
    fatal(text_.peek().line, std::string("Missing .version directive at start of file '") + kInput + "'");
  }
  text_.take();
  version();
  if (!text_.accept(".target")) {
    fatal(text_.peek().line, std::string("Missing .target directive at start of file '") + kInput + "'");
  }
  target();
  if (!text_.at(".address_size")) return;
  const int line = text_.take().line;
  module_.address_size = static_cast<int>(std::min<std::uint64_t>(integer(text_, errors_), 1000));
  if (module_.address_size != 32 && module_.address_size != 64) {
    errors_.add(line, "Illegal value for .address_size directive (must be 32 or 64)");
  }
}

void Parser::alias() {
  const std::string alias(text_.name().text);
  text_.expect(",");
  const Token target = text_.name();
  text_.expect(";");
  const Symbol* known = scopes_.find_symbol(target.text);
  if (known == nullptr || !known->function) {
    return errors_.add(target.line, "Unknown symbol '" + std::string(target.text) + "'");
  }
  module_.aliases[alias] = std::string(target.text);
}

void Parser::skip_section() {
  while (!text_.at("{") && !text_.at_end()) text_.take();
  while (!text_.at("}") && !text_.at_end()) text_.take();
  text_.expect("}");
}

void Parser::directives() {
  Linkage linkage;
  while (!text_.at_end()) {
    const Token token = text_.take();
    const std::string_view word = token.text;
    if (word == ".extern") {
      linkage.external = true;
      continue;
    }
    if (word == ".visible" || word == ".weak" || word == ".common") {
      linkage.visible = true;
      linkage.weak = linkage.weak || word == ".weak";
      linkage.common = linkage.common || word == ".common";
      if (text_.at_end()) syntax(text_.peek());
      continue;
    }
    if (word == ".entry" || word == ".func") {
      functions_.read(word == ".entry", linkage);
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      const Space space = word == ".global" ? Space::Global : word == ".const" ? Space::Const : Space::Shared;
      variables_.module_variable(space, linkage);
    } else if (word == ".local" || word == ".reg") {
      errors_.add(token.line, "Module-scoped variables in " + std::string(word) +
                                  " state space are not allowed with ABI");
      text_.skip_statement();
    } else if (word == ".param") {
      errors_.add(token.line, "Parameter variables may not be declared at module scope");
      text_.skip_statement();
    } else if (word == ".file") {
      text_.skip_line(token.line);
    } else if (word == ".alias") {
      alias();
    } else if (word == ".section") {
      skip_section();
    } else if (word == ".pragma") {
      text_.skip_statement();
    } else {
      syntax(token);
    }
    linkage = {};
  }
}

ParseResult Parser::run() {
  ParseResult result;
  try {
    header();
    directives();
  } catch (const Failure& failure) {
    errors_.add(failure);
  }
  if (errors_.count() == 0) {
    if (!rounds_twice_) contract_products(module_);
    separate_volatile_stores(module_);
    result.module = std::move(module_);
  } else {
    result.errors = errors_.sorted();
    result.error = result.errors.front();
  }
  return result;
}

ParseResult parse(std::string_view text) {
  const std::vector<std::string_view> units = split_units(text);
  if (units.size() == 1) return Parser(text).run();
  std::vector<Module> modules;
  for (const std::string_view unit : units) {
    ParseResult result = Parser(unit).run();
    if (result.error) return result;
    modules.push_back(std::move(*result.module));
  }
  ParseResult result;
  LinkResult linked = link(std::move(modules));
  result.module = std::move(linked.module);
  for (const Duplicate& duplicate : linked.duplicates) {
    ParseError told;
    told.message = "Duplicate definition of '" + duplicate.name + "'";
    result.errors.push_back(std::move(told));
  }
  if (result.errors.empty()) return result;
  result.error = result.errors.front();
  result.module.reset();
  return result;
}

std::optional<ParseError> unresolved(const Module& module) {
  ParseError told;
  told.fatal = true;
  static constexpr std::string_view kSupplied[] = {"vprintf", "__assertfail", "malloc", "free"};
  const FunctionNames names(module);
  const auto defined = [&](const std::string& name) {
    const Function* function = names.find(name);
    return (function != nullptr && !function->external) ||
           std::find(std::begin(kSupplied), std::end(kSupplied), name) != std::end(kSupplied);
  };
  for (const Function& function : module.functions) {
    if (function.kernel && function.external && !defined(function.name)) {
      told.message = "Unresolved extern function '" + function.name + "'";
      return told;
    }
    const auto name_of_function = [&](const std::string& name) {
      const Function* named = names.find(name);
      return named != nullptr && !defined(name);
    };
    for (const Instruction& instruction : function.body) {
      std::string missing;
      if (instruction.opcode == Opcode::Call && !instruction.callee.empty() && !defined(instruction.callee))
        missing = instruction.callee;
      for (const Operand& operand : instruction.operands) {
        if (operand.kind == Operand::Kind::Symbol && name_of_function(operand.name)) missing = operand.name;
      }
      if (missing.empty()) continue;
      told.message = "Unresolved extern function '" + missing + "'";
      return told;
    }
  }
  for (const Variable& variable : module.variables) {
    // The assembler takes the others as defined here, with a warning.
    if (!variable.external || variable.space == Space::Shared || variable.size != 0) continue;
    told.message = "Unresolved extern variable '" + variable.name + "'";
    return told;
  }
  return std::nullopt;
}

}  // namespace ptx
