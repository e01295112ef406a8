// Module level of PTX: .version, .target, variables with initialisers, functions and kernels.
#include <algorithm>
#include <bit>
#include <limits>

#include "parser.hpp"

namespace ptx {
namespace {

constexpr std::uint64_t kMostVariableBytes = std::uint64_t{1} << 32;
constexpr std::size_t kMostParameterBytes =
    4352;  // PTX ISA 8.1: 4,352 bytes of kernel parameters... 32,764 later

}  // namespace

Type type_of_word(std::string_view word) {
  if (!word.empty() && word[0] == '.') word.remove_prefix(1);
  static constexpr std::pair<std::string_view, Type> words[] = {
      {"pred", Type::Pred}, {"b8", Type::B8},   {"b16", Type::B16}, {"b32", Type::B32},
      {"b64", Type::B64},   {"u8", Type::U8},   {"u16", Type::U16}, {"u32", Type::U32},
      {"u64", Type::U64},   {"s8", Type::S8},   {"s16", Type::S16}, {"s32", Type::S32},
      {"s64", Type::S64},   {"f16", Type::F16}, {"f32", Type::F32}, {"f64", Type::F64}};
  for (const auto& [text, type] : words) {
    if (word == text) return type;
  }
  return Type::None;
}

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
  if (!at(text)) {
    fail(peek().line,
         "syntax error: '" + std::string(text) + "' expected at '" + std::string(peek().text) + "'");
  }
  return take();
}

Token Parser::name(const char* what) {
  if (peek().kind != Token::Kind::Name) {
    fail(peek().line, "Parsing error near '" + std::string(peek().text) + "': " + what + " expected");
  }
  return take();
}

std::uint64_t Parser::integer(const char* what) {
  if (peek().kind != Token::Kind::Number || peek().float_literal || peek().single_literal) {
    fail(peek().line, "Parsing error near '" + std::string(peek().text) + "': " + what + " expected");
  }
  return take().bits;
}

void Parser::fail(int line, std::string message, bool unsupported) const {
  throw Failure{ParseError{line, std::move(message), unsupported}};
}

void Parser::skip_statement() {
  while (!at(";") && peek().kind != Token::Kind::End) take();
  accept(";");
}

// .version major.minor
void Parser::version(Module& module) {
  const Token number = take();
  const std::string text(number.text);
  const std::size_t dot = text.find('.');
  if (number.kind != Token::Kind::Number || dot == std::string::npos) {
    fail(number.line, "Parsing error near '" + text + "': version number expected");
  }
  module.version_major = std::atoi(text.c_str());
  module.version_minor = std::atoi(text.c_str() + dot + 1);
}

// .target sm_75[, debug]
void Parser::target(Module& module) {
  const Token word = name("target");
  module.target = word.text;
  if (word.text.substr(0, 3) != "sm_") {
    fail(word.line, "Parsing error near '" + module.target + "': target 'sm_…' expected");
  }
  module.target_number = std::atoi(module.target.c_str() + 3);
  while (accept(",")) name("target option");
}

Type Parser::type_word() {
  const Token token = take();
  const Type type = type_of_word(token.text);
  if (type == Type::None)
    fail(token.line, "Parsing error near '" + std::string(token.text) + "': type expected");
  return type;
}

// [n][m]…; `open` is set for [].
std::uint64_t Parser::dimensions(bool& open) {
  std::uint64_t count = 1;
  open = false;
  while (accept("[")) {
    if (accept("]")) {
      open = true;
      continue;
    }
    const int line = peek().line;
    const std::uint64_t n = integer("array size");
    if (n != 0 && count > kMostVariableBytes / n) fail(line, "Array size too large");
    count *= n;
    expect("]");
  }
  return open ? 0 : count;
}

// What stands after the state space: [.align n] [.attribute(…)] [.vN] .type name [dims]
Variable Parser::declaration(Space space) {
  Variable variable;
  variable.space = space;
  std::uint32_t align = 0;
  std::uint64_t vector = 1;
  for (;;) {
    if (accept(".align")) {
      align = static_cast<std::uint32_t>(integer("alignment"));
    } else if (accept(".attribute")) {
      expect("(");
      while (!at(")") && peek().kind != Token::Kind::End)
        variable.managed = take().text == ".managed" || variable.managed;
      expect(")");
    } else if (accept(".v2")) {
      vector = 2;
    } else if (accept(".v4")) {
      vector = 4;
    } else {
      break;
    }
  }
  variable.type = type_word();
  if (accept(".ptr")) {  // .ptr [.space] [.align n]
    while (peek().kind == Token::Kind::Directive) {
      if (take().text == ".align") integer("alignment");
    }
  }
  const Token word = name("variable name");
  variable.name = word.text;
  bool open = false;
  const std::uint64_t count = dimensions(open) * vector;
  variable.size = count * size_of(variable.type);
  variable.align = align != 0 ? align : static_cast<std::uint32_t>(size_of(variable.type) * vector);
  if (variable.size > kMostVariableBytes) fail(word.line, "Variable '" + variable.name + "' is too large");
  if (variable.align == 0 || (variable.align & (variable.align - 1)) != 0 || variable.align > 4096) {
    fail(word.line, "Alignment of '" + variable.name + "' must be a power of two");
  }
  return variable;
}

Initialiser Parser::initial_value(const Variable& variable) {
  Initialiser value;
  if (accept("generic")) {
    expect("(");
    value.symbol = name("symbol").text;
    expect(")");
  } else if (peek().kind == Token::Kind::Name) {
    value.symbol = take().text;
  } else {
    const Operand number = literal(accept("-"));
    value.bits = number.bits;
    if (variable.type == Type::F32 && number.float_literal) {
      value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
    }
    return value;
  }
  if (accept("+")) value.bits = integer("offset");
  return value;
}

void Parser::initialiser(Variable& variable, const Module&) {
  const int line = peek().line;
  int depth = 0;
  do {
    while (accept("{")) ++depth;
    variable.values.push_back(initial_value(variable));
    while (depth > 0 && accept("}")) --depth;
  } while (accept(","));
  if (depth != 0) fail(line, "Initializer of '" + variable.name + "' is not closed");
  if (variable.values.size() * size_of(variable.type) > variable.size) {
    fail(line, "Too many initializers for '" + variable.name + "'");
  }
}

void Parser::variable(Module& module, Space space, bool external, bool visible) {
  const int line = peek().line;
  Variable variable = declaration(space);
  variable.external = external;
  variable.visible = visible;
  if (accept("=")) initialiser(variable, module);
  expect(";");
  const Variable* before = module.find_variable(variable.name);
  if (before == nullptr) {
    module.variables.push_back(std::move(variable));
  } else if (before->external) {
    *const_cast<Variable*>(before) = std::move(variable);
  } else if (!external) {
    fail(line, "Duplicate definition of variable '" + variable.name + "'");
  }
}

Parameter Parser::parameter() {
  Parameter parameter;
  const bool in_register = accept(".reg");
  if (!in_register) expect(".param");
  const Variable declared = declaration(Space::Param);
  parameter.name = declared.name;
  parameter.type = declared.type;
  parameter.align = declared.align;
  parameter.size =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(declared.size, kMostParameterBytes + 1));
  return parameter;
}

std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> list;
  expect("(");
  std::uint32_t offset = 0;
  while (!accept(")")) {
    const int line = peek().line;
    Parameter parameter = this->parameter();
    offset = (offset + parameter.align - 1) / parameter.align * parameter.align;
    parameter.offset = offset;
    offset += parameter.size;
    if (offset > 32764) fail(line, "Formal parameter space overflowed");
    list.push_back(std::move(parameter));
    if (!at(")")) expect(",");
  }
  return list;
}

// .maxntid and its like, between the header and the body.
void Parser::performance(Function& function) {
  while (peek().kind == Token::Kind::Directive) {
    const Token word = take();
    if (word.text == ".noreturn" || word.text == ".blocksareclusters" || word.text == ".explicitcluster")
      continue;
    if (word.text == ".pragma") {
      take();
      accept(";");
      continue;
    }
    std::uint64_t product = 1;
    do {
      product *= integer("number");
      product = std::min<std::uint64_t>(product, std::numeric_limits<std::uint32_t>::max());
    } while (accept(","));
    if (word.text == ".maxntid" || word.text == ".reqntid")
      function.max_threads = static_cast<std::uint32_t>(product);
  }
}

void Parser::function(Module& module, bool kernel, bool external, bool visible) {
  Function function;
  function.kernel = kernel;
  function.visible = visible;
  function.line = peek().line;
  if (!kernel && at("(")) function.results = parameters();
  function.name = name("function name").text;
  if (at("(")) function.parameters = parameters();
  if (!function.parameters.empty()) {
    function.parameter_bytes = function.parameters.back().offset + function.parameters.back().size;
  }
  performance(function);
  if (accept(";")) {
    function.external = true;
  } else {
    if (external) fail(peek().line, "Function '" + function.name + "' declared .extern has a body");
    body(function, module);
  }
  for (Function& before : module.functions) {
    if (before.name != function.name) continue;
    if (!before.external && !function.external) {
      fail(function.line, "Duplicate definition of function '" + function.name + "'");
    }
  }
  module.functions.push_back(std::move(function));
}

void Parser::skip_section() {
  while (!at("{") && peek().kind != Token::Kind::End) take();
  while (!at("}") && peek().kind != Token::Kind::End) take();
  accept("}");
}

Module Parser::module() {
  Module module;
  if (!at(".version")) fail(peek().line, "Missing .version directive at start of file '<...>'");
  bool external = false, visible = false;
  while (peek().kind != Token::Kind::End) {
    const Token token = take();
    const std::string_view word = token.text;
    if (word == ".version") {
      version(module);
    } else if (word == ".target") {
      target(module);
    } else if (word == ".address_size") {
      if (integer("address size") != 64) fail(token.line, "32-bit addresses are not supported", true);
    } else if (word == ".extern") {
      external = true;
      continue;
    } else if (word == ".visible" || word == ".weak" || word == ".common") {
      visible = true;
      continue;
    } else if (word == ".entry" || word == ".func") {
      function(module, word == ".entry", external, visible);
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      const Space space = word == ".global" ? Space::Global : word == ".const" ? Space::Const : Space::Shared;
      variable(module, space, external, visible);
    } else if (word == ".file" || word == ".alias") {
      const int line = token.line;
      while (peek().line == line && peek().kind != Token::Kind::End) take();
    } else if (word == ".section") {
      skip_section();
    } else if (word == ".pragma") {
      skip_statement();
    } else if (token.text != ";") {
      fail(token.line, "Parsing error near '" + std::string(word) + "': syntax error");
    }
    external = visible = false;
  }
  if (module.target.empty()) fail(peek().line, "Missing .target directive");
  return module;
}

ParseResult parse(std::string_view text) {
  ParseResult result;
  try {
    result.module = Parser(text).module();
  } catch (const Failure& failure) {
    result.error = failure.error;
  }
  return result;
}

}  // namespace ptx
