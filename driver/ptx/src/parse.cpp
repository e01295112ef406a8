// SPDX-License-Identifier: MIT
// Module level of PTX: .version, .target, and everything outside functions and variables; the cursor.
#include <algorithm>
#include <cstdlib>

#include "parser.hpp"
#include "ptx/link.hpp"

namespace ptx {
namespace {

constexpr std::size_t kMostErrors = 200;
constexpr const char* kInput = "application ptx input";  // what the real driver calls a text in memory

constexpr int kTargets[] = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50,  52,  53,  60,  61,  62, 70,
                            72, 73, 75, 80, 82, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

}  // namespace

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Parser::take() {
  Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

Token Parser::expect(std::string_view text) {
  if (!at(text)) syntax(peek());
  return take();
}

Token Parser::name() {
  if (peek().kind != Token::Kind::Name) syntax(peek());
  return take();
}

std::uint64_t Parser::integer() {
  if (peek().kind != Token::Kind::Number || peek().float_literal || peek().single_literal) syntax(peek());
  return static_cast<std::uint64_t>(constant(0));
}

void Parser::error(int line, std::string message, bool unsupported) {
  ParseError told;
  told.line = line;
  told.message = std::move(message);
  told.unsupported = unsupported;
  errors_.push_back(std::move(told));
  if (errors_.size() > kMostErrors) fatal(line, "Too many errors");
}

void Parser::fatal(int line, std::string message) {
  ParseError told;
  told.line = line;
  told.message = std::move(message);
  told.fatal = true;
  throw Failure{std::move(told)};
}

void Parser::syntax(const Token& token) {
  if (token.overflow) fatal(token.line, "Constant overflow");
  if (token.open_comment) fatal(token.line, "Parsing error near '': unexpected EOF while scanning");
  fatal(token.line, "Parsing error near '" + std::string(token.text) + "': syntax error");
}

void Parser::skip_statement() {
  while (!at(";") && peek().kind != Token::Kind::End) take();
  expect(";");
}

void Parser::skip_line(int line) {
  while (peek().line == line && peek().kind != Token::Kind::End) take();
}

// .version major.minor; what is newer than CUDA 13.0 knows is refused before anything else is read.
void Parser::version() {
  const Token number = take();
  const std::string text(number.text);
  const std::size_t dot = text.find('.');
  if (number.kind != Token::Kind::Number || dot == std::string::npos) {
    fatal(number.line, std::string("Missing .version directive at start of file '") + kInput + "'");
  }
  module_.version_major = std::atoi(text.c_str());
  module_.version_minor = std::atoi(text.c_str() + dot + 1);
  constexpr int newest_major = 9, newest_minor = 0;
  const bool newer = module_.version_major > newest_major ||
                     (module_.version_major == newest_major && module_.version_minor > newest_minor);
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
  const Token word = name();
  module_.target = word.text;
  if (word.text.substr(0, 3) != "sm_") {
    fatal(word.line, std::string("Target architecture not defined at start of file '") + kInput + "'");
  }
  module_.target_number = std::atoi(module_.target.c_str() + 3);
  if (std::find(std::begin(kTargets), std::end(kTargets), module_.target_number) == std::end(kTargets)) {
    fatal(word.line, "Unsupported .target '" + module_.target + "'");
  }
  while (accept(",")) name();
}

void Parser::header() {
  if (!at(".version")) {
    // The assembler has read the whole first statement when it reports this.
    const int line = peek().line;
    if (peek().kind == Token::Kind::Directive) skip_line(line);
    fatal(peek().line, std::string("Missing .version directive at start of file '") + kInput + "'");
  }
  take();
  version();
  if (!accept(".target")) {
    fatal(peek().line, std::string("Missing .target directive at start of file '") + kInput + "'");
  }
  target();
  if (!at(".address_size")) return;
  const int line = take().line;
  module_.address_size = static_cast<int>(std::min<std::uint64_t>(integer(), 1000));
  if (module_.address_size != 32 && module_.address_size != 64) {
    error(line, "Illegal value for .address_size directive (must be 32 or 64)");
  }
}

void Parser::alias() {
  const std::string alias(name().text);
  expect(",");
  const Token target = name();
  expect(";");
  const Symbol* known = find_symbol(target.text);
  if (known == nullptr || !known->function) {
    return error(target.line, "Unknown symbol '" + std::string(target.text) + "'");
  }
  module_.aliases[alias] = std::string(target.text);
}

void Parser::skip_section() {
  while (!at("{") && peek().kind != Token::Kind::End) take();
  while (!at("}") && peek().kind != Token::Kind::End) take();
  expect("}");
}

void Parser::directives() {
  Linkage linkage;
  while (peek().kind != Token::Kind::End) {
    const Token token = take();
    const std::string_view word = token.text;
    if (word == ".extern") {
      linkage.external = true;
      continue;
    }
    if (word == ".visible" || word == ".weak" || word == ".common") {
      linkage.visible = true;
      linkage.weak = linkage.weak || word == ".weak";
      linkage.common = linkage.common || word == ".common";
      if (peek().kind == Token::Kind::End) syntax(peek());
      continue;
    }
    if (word == ".entry" || word == ".func") {
      function(word == ".entry", linkage);
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      const Space space = word == ".global" ? Space::Global : word == ".const" ? Space::Const : Space::Shared;
      module_variables(space, linkage);
    } else if (word == ".local" || word == ".reg") {
      error(token.line,
            "Module-scoped variables in " + std::string(word) + " state space are not allowed with ABI");
      skip_statement();
    } else if (word == ".param") {
      error(token.line, "Parameter variables may not be declared at module scope");
      skip_statement();
    } else if (word == ".file") {
      skip_line(token.line);
    } else if (word == ".alias") {
      alias();
    } else if (word == ".section") {
      skip_section();
    } else if (word == ".pragma") {
      skip_statement();
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
    errors_.push_back(failure.error);
  }
  // Labels are looked up at the end of a function, but messages are in the order of the text. Sorted by
  // insertion: they are nearly in order, and there are at most a few hundred.
  const auto later = [](const ParseError& a, const ParseError& b) {
    return a.fatal != b.fatal ? a.fatal : a.line > b.line;
  };
  for (std::size_t i = 1; i < errors_.size(); ++i) {
    for (std::size_t j = i; j > 0 && later(errors_[j - 1], errors_[j]); --j)
      std::swap(errors_[j - 1], errors_[j]);
  }
  if (errors_.empty()) {
    if (!rounds_twice_) contract_products(module_);
    separate_volatile_stores(module_);
    result.module = std::move(module_);
  } else {
    result.error = errors_.front();
    result.errors = std::move(errors_);
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
  static constexpr std::string_view supplied[] = {"vprintf", "__assertfail", "malloc", "free"};
  const FunctionNames names(module);
  const auto defined = [&](const std::string& name) {
    const Function* function = names.find(name);
    return (function != nullptr && !function->external) ||
           std::find(std::begin(supplied), std::end(supplied), name) != std::end(supplied);
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
