// SPDX-License-Identifier: MIT
// See parse_function.hpp.
#include "parse_function.hpp"

#include <algorithm>
#include <limits>

#include "constants.hpp"

namespace ptx {
namespace {

constexpr std::uint64_t kOldParameterLimit = 4352;
constexpr std::uint64_t kParameterLimit = 32764;

std::string hex(std::uint64_t value) {
  std::string text;
  do text.insert(text.begin(), "0123456789abcdef"[value & 15]);
  while ((value >>= 4) != 0);
  return "0x" + text;
}

}  // namespace

void FunctionReader::performance_numbers(Function& function, const Token& word) {
  std::uint64_t numbers[3] = {1, 1, 1}, product = 1;
  std::size_t count = 0;
  const bool of_cluster = word.text == ".reqnctapercluster" || word.text == ".maxclusterrank";
  do {
    const std::uint64_t n =
        std::min<std::uint64_t>(integer(text_, errors_), std::numeric_limits<std::uint32_t>::max());
    if (n == 0 && !of_cluster) {
      errors_.add(word.line, "Positive non-zero value expected for " + std::string(word.text.substr(1)));
    }
    if (of_cluster && count == 2 && text_.at(",")) syntax(text_.peek());
    if (count < 3) numbers[count++] = n;
    product = std::min<std::uint64_t>(product * n, std::numeric_limits<std::uint32_t>::max());
  } while (text_.accept(","));
  const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
  if (word.text == ".maxntid" || word.text == ".reqntid") {
    if (function.max_threads != 0) {
      errors_.add(word.line, "Conflicting directives: .maxntid and .reqntid cannot both be specified");
    }
    function.max_threads = narrow(product);
    if (word.text == ".reqntid") std::transform(numbers, numbers + 3, function.required_threads, narrow);
  } else if (word.text == ".minnctapersm" || word.text == ".maxnctapersm") {
    function.min_blocks = narrow(numbers[0]);
  } else if (word.text == ".maxnreg") {
    function.max_registers = narrow(numbers[0]);
  } else if (word.text == ".reqnctapercluster") {
    std::transform(numbers, numbers + 3, function.required_cluster, narrow);
  } else if (word.text == ".maxclusterrank") {
    function.max_cluster = narrow(numbers[0]);
  }
  if (!of_cluster) return;
  cluster_feature(word.text, text_.peek().line);
  if (function.required_cluster[0] != 0 && function.max_cluster != 0) {
    errors_.add(word.line,
                "Conflicting directives: .reqnctapercluster and .maxclusterrank cannot both be specified");
  }
}

void FunctionReader::cluster_feature(std::string_view directive, int line) {
  if (names_.module().target_number < 90)
    errors_.add(line, "Feature '" + std::string(directive) + "' requires .target sm_90 or higher");
}

// .maxntid and its like, between the header and the body.
void FunctionReader::performance(Function& function) {
  static constexpr std::string_view kNumbered[] = {".maxntid",          ".reqntid", ".minnctapersm",
                                                   ".maxnctapersm",     ".maxnreg", ".maxclusterrank",
                                                   ".reqnctapercluster"};
  int blocks_are_clusters = 0;  // the line that says so
  while (text_.peek().kind == Token::Kind::Directive) {
    const Token word = text_.take();
    if (word.text == ".noreturn") {
      function.no_return = true;
    } else if (word.text == ".pragma") {
      text_.skip_statement();
    } else if (std::find(std::begin(kNumbered), std::end(kNumbered), word.text) != std::end(kNumbered)) {
      performance_numbers(function, word);
    } else if (word.text == ".abi_preserve" || word.text == ".abi_preserve_control") {
      integer(text_, errors_);
    } else if (word.text == ".explicitcluster") {
      function.explicit_cluster = true;
      cluster_feature(word.text, word.line);
    } else if (word.text == ".blocksareclusters") {
      function.blocks_are_clusters = true;
      blocks_are_clusters = word.line;
      cluster_feature(word.text, word.line);
    } else {
      syntax(word);
    }
  }
  // The manual of PTX: it has to stand with both. Without them nothing says what a cluster is.
  if (function.blocks_are_clusters &&
      (function.required_threads[0] == 0 || function.required_cluster[0] == 0))
    errors_.add(blocks_are_clusters, "Directive .blocksareclusters requires .reqntid and .reqnctapercluster");
}

// Compared with earlier declarations of the same name, and with the limits.
void FunctionReader::check_header(const Function& function) {
  const Module& module = names_.module();
  const auto quoted = "'" + function.name + "'";
  if (const Symbol* known = names_.find(function.name); known != nullptr && !known->function) {
    errors_.add(function.line, "Inconsistent redefinition of variable " + quoted);
    errors_.add(function.line, "Duplicate definition of function " + quoted);
    fatal(function.line, "Inconsistent redefinition of symbol " + quoted);
  }
  for (const std::size_t place : names_.functions_named(function.name)) {
    const Function& before = module.functions[place];
    if (before.kernel != function.kernel) {
      errors_.add(function.line, "Inconsistent redefinition of " + quoted + " as entry and function");
    } else if (before.parameters.size() != function.parameters.size()) {
      errors_.add(function.line, "Inconsistent prototypes of " + quoted + ", number of parameters differ");
    }
    if (!before.external && !function.external)
      errors_.add(function.line, "Duplicate definition of function " + quoted);
  }
  if (!function.kernel || function.parameters.empty()) return;
  const std::uint64_t bytes = function.parameter_bytes;
  const bool old = module.version_major < 8 || (module.version_major == 8 && module.version_minor < 1);
  const std::uint64_t limit = old ? kOldParameterLimit : kParameterLimit;
  if (bytes <= limit) return;
  errors_.add(function.line, "Entry function " + quoted + " uses too much parameter space (" + hex(bytes) +
                                 " bytes, " + hex(limit) + " max).");
  if (old) {
    errors_.add(
        function.line,
        "Feature 'Kernel parameter size larger than 4352 bytes' requires PTX ISA .version 8.1 or later");
  }
}

void FunctionReader::read(bool kernel, const Linkage& linkage) {
  Function function;
  std::vector<bool> results_in, parameters_in;
  function.kernel = kernel;
  function.visible = linkage.visible;
  function.weak = linkage.weak;
  scopes_.end_function();
  // Attributes before the name change nothing here.
  while (text_.accept(".attribute")) {
    text_.expect("(");
    while (!text_.at(")") && !text_.at_end()) text_.take();
    text_.expect(")");
  }
  if (!kernel && text_.at("(")) function.results = parameters_.list(results_in, false, true);
  const Token word = text_.name();
  function.name = word.text;
  function.line = word.line;
  if (text_.at("(")) function.parameters = parameters_.list(parameters_in, kernel, true);
  if (!function.parameters.empty()) {
    function.parameter_bytes = function.parameters.back().offset + function.parameters.back().size;
  }
  performance(function);
  function.external = text_.at(";");
  check_header(function);
  if (text_.accept(";")) {
    names_.add(std::move(function));
    return;
  }
  // The header goes in first, so that the function can call itself.
  Function header;
  header.name = function.name;
  header.kernel = kernel;
  header.results = function.results;
  header.parameters = function.parameters;
  header.external = true;
  const std::size_t place = names_.add(std::move(header));
  body_.read(function, results_in, parameters_in);
  names_.replace(place, std::move(function));
}

}  // namespace ptx
