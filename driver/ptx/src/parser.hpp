// The parser's cursor and errors, shared by parse.cpp (directives) and parse_instruction.cpp (bodies).
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lexer.hpp"
#include "ptx/parse.hpp"

namespace ptx {

struct Failure {  // thrown inside the parser only; parse() turns it into a ParseError
  ParseError error;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokenize(text)) {}
  Module module();

 private:
  // Cursor
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool at(std::string_view text) const { return peek().text == text && peek().kind != Token::Kind::End; }
  bool accept(std::string_view text);
  Token expect(std::string_view text);
  Token name(const char* what);
  std::uint64_t integer(const char* what);
  [[noreturn]] void fail(int line, std::string message, bool unsupported = false) const;
  void skip_statement();

  // Directives
  void version(Module& module);
  void target(Module& module);
  void variable(Module& module, Space space, bool external, bool visible);
  Variable declaration(Space space);
  std::uint64_t dimensions(bool& open);
  void initialiser(Variable& variable, const Module& module);
  Initialiser initial_value(const Variable& variable);
  Type type_word();
  void function(Module& module, bool kernel, bool external, bool visible);
  std::vector<Parameter> parameters();
  Parameter parameter();
  void performance(Function& function);
  void skip_section();

  // Bodies
  void body(Function& function, const Module& module);
  void statement(Function& function);
  void registers(Function& function);
  void scoped_variable(Function& function);
  void instruction(Function& function);
  void call(Function& function, Instruction& instruction);
  std::vector<std::string> call_list();
  Operand operand(Function& function);
  Operand address(Function& function);
  Operand literal(bool negative);
  std::uint32_t register_index(const Function& function, const Token& token) const;
  bool is_register(std::string_view text) const;
  void resolve(Function& function, const Module& module) const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> register_names_;
  std::map<std::string, std::uint32_t, std::less<>> labels_;
  std::size_t prototypes_ = 0;
};

Type type_of_word(std::string_view word);  // ".s32" or "s32"; None when it is no type
// Reads the root and the modifiers into the instruction's fields; throws Failure for what no one can run.
void classify(Instruction& instruction);

}  // namespace ptx
