// SPDX-License-Identifier: MIT
// The parser's cursor, scopes and errors. One class whose methods lie in several files.
//
// Directives are read in parse.cpp, variables in parse_variable.cpp, functions in parse_function.cpp,
// instructions in parse_instruction.cpp, calls in parse_call.cpp; what was read is checked in check.cpp.
// Users of the parser see ptx/parse.hpp only.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexer.hpp"
#include "ptx/parse.hpp"

namespace ptx {

struct Failure {  // thrown inside the parser only; parse() turns it into a ParseError
  ParseError error;
};

struct Symbol {      // the meaning of a name that is no register
  std::string name;  // in the tree
  Space space = Space::Global;
  std::uint64_t size = 0, align = 1;
  bool function = false;
  std::uint64_t element = 0;  // bytes of one, of an array; of a vector, of one of its parts
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

struct Declaration {
  Variable variable;
  std::vector<std::uint64_t> dimensions;  // the vector's elements last
  bool open = false;                      // begins with []
  bool in_register = false;
  int line = 0;
};

class Parser {
 public:
  explicit Parser(std::string_view text)
      : tokens_(tokenize(text)), rounds_twice_(text.starts_with(rounded_twice)) {}
  ParseResult run();

 private:
  // Cursor
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool at(std::string_view text) const { return peek().text == text && peek().kind != Token::Kind::End; }
  bool accept(std::string_view text);
  Token expect(std::string_view text);
  Token name();
  std::uint64_t integer();
  void error(int line, std::string message, bool unsupported = false);
  [[noreturn]] static void fatal(int line, std::string message);
  [[noreturn]] static void syntax(const Token& token);
  // The nesting depth is counted while nested parts are read, so that no text exhausts the stack.
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > 512) fatal(parser_.peek().line, "Expression is nested too deeply");
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };
  void skip_statement();
  void skip_line(int line);

  // Directives
  void header();
  void version();
  void target();
  void directives();
  void alias();
  void skip_section();

  // Variables
  struct Linkage {
    bool external = false, visible = false, weak = false, common = false;
  };
  void module_variables(Space space, const Linkage& linkage);
  Declaration declaration(Space space);
  void qualifiers(Declaration& declaration, std::uint32_t& align, std::uint64_t& vector);
  void dimensions(Declaration& declaration);
  void initialiser(Declaration& declaration);
  void initial_list(Declaration& declaration, std::size_t level, std::size_t base);
  Initialiser initial_value(const Variable& variable);
  void check_variable(const Declaration& declaration, const Linkage& linkage, bool initialised);
  void add_module_variable(Variable variable, int line);
  Type type_word();

  // Functions
  void function(bool kernel, const Linkage& linkage);
  std::vector<Parameter> parameters(std::vector<bool>& in_register, bool entry, bool named);
  void performance(Function& function);
  void performance_numbers(Function& function, const Token& word);
  void check_header(const Function& function);
  void body(Function& function, const std::vector<bool>& results_in, const std::vector<bool>& parameters_in);
  void statement(Function& function);
  void labelled(Function& function);
  void registers(Function& function);
  void add_register(Function& function, const std::string& name, Type type);
  void scoped_variables(Function& function);
  void resolve(Function& function);

  // Instructions
  void instruction(Function& function);
  void finish(Function& function, Instruction instruction);
  void words(Instruction& instruction, const Token& word);
  void guard(Instruction& instruction);
  Operand operand();
  Operand named_operand(const Token& word, bool negated);
  Operand pair_operand(Operand first);
  Operand element_operand(Operand array, std::uint64_t size);
  void elements(Function& function, Instruction& instruction);
  void place_element(Function& function, const Instruction& instruction, Operand& operand);
  Operand vector_register(const Token& word);
  Operand special_operand(const Token& word);
  Operand address();
  Operand literal();
  std::int64_t constant(int least_precedence);
  std::int64_t constant_primary();
  void unknown(std::string_view name);
  void tell_unknown(int line);

  // Calls
  void call(Function& function, Instruction instruction);
  std::vector<Operand> call_operands();
  void place_call(Function& function, Instruction& instruction, const Prototype* prototype,
                  const std::vector<Operand>& results, const std::vector<Operand>& arguments);
  std::string call_variable(Function& function, const Instruction& call, const Operand& operand,
                            const Parameter& parameter, bool result, std::vector<Instruction>& moves);
  void check_argument(const Instruction& call, const std::string& name, const Parameter& parameter);
  Prototype prototype();
  static Instruction parameter_access(bool load, const Operand& reg, const std::string& name, Type type,
                                      const Instruction& like);

  // Checks
  void check(const Function& function, const Instruction& instruction);
  void check_operands(const Function& function, const Instruction& instruction);
  void check_memory(const Function& function, const Instruction& instruction);
  void check_move(const Function& function, const Instruction& instruction);
  bool fits(const Function& function, const Operand& operand, Type type, bool wider) const;
  bool fits_parts(const Function& function, const Operand& operand, Type type, unsigned lanes) const;

  // Names
  bool find_register(std::string_view text, std::uint32_t& index) const;
  const Symbol* find_symbol(std::string_view text) const;
  bool find_label(int scope, std::string_view text, std::uint32_t& index) const;
  const std::vector<std::string>* find_targets(int scope, std::string_view text) const;
  const Function* find_function(const std::string& name) const;

  Module module_;
  std::vector<ParseError> errors_;
  std::vector<Token> tokens_;
  bool rounds_twice_;
  std::size_t at_ = 0;
  std::map<std::string, Symbol, std::less<>> symbols_;  // of the module
  // Their places in the module: a text may have a hundred thousand functions.
  std::unordered_map<std::string, std::vector<std::size_t>> functions_named_;
  std::unordered_map<std::string, std::size_t> variables_named_;
  std::vector<Braces> scopes_;  // of the function
  int scope_ = -1;
  std::vector<int> scope_of_;                  // by instruction: where its labels are looked up
  std::vector<std::string> result_registers_;  // results in registers, stored before each ret
  std::vector<std::string> unknown_;           // names in the instruction that nothing declared
  std::map<std::string, unsigned> used_names_;
  std::size_t depth_ = 0;
  unsigned call_variables_ = 0;
};

Type type_of_word(std::string_view word);  // ".s32" or "s32"; None when it is no type

// How an instruction is to be written: for the checks.
struct Rule {
  std::string_view root;
  Opcode opcode;
  std::uint32_t types;        // set of bit(Type) that the first type may be; 0: it has none
  std::string_view operands;  // one letter each, see check.cpp; those after '/' may be missing
  enum Need : std::uint8_t { Nothing, Rounding, RoundingOrApproximate, Approximate } need;
};
constexpr std::uint32_t bit(Type type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}
const Rule* find_rule(std::string_view root);
bool is_unsupported_root(std::string_view root);

// Reads root and modifiers into the instruction's fields; returns what is wrong with them.
std::vector<ParseError> classify(Instruction& instruction);
// Lets the threads of a warp meet at volatile stores to shared memory (warp_speech.cpp).
void separate_volatile_stores(Module& module);
// Products and sums that may be rounded once (contract.cpp).
void contract_products(Module& module);
// Inserts instructions before those with the given numbers; a branch to one of these goes to the first
// inserted one.
void put_before(Function& function, std::map<std::uint32_t, std::vector<Instruction>> what);
// As the assembler names it: with ".wide", ".lo", ".to".
std::string shown_name(const Instruction& instruction);

}  // namespace ptx
