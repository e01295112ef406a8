// SPDX-License-Identifier: MIT
// See report.hpp: parses clang's messages and writes them in the other form.
#include "report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace nvrtc {
namespace {

struct Diagnostic {
  std::string file;
  unsigned line = 0;
  std::string kind;  // error, fatal error, warning, note
  std::string text;
  std::string flag;  // unused-variable
  std::string source;
  std::string mark;
};

// `%` is a part that is also in the other sentence.
struct Words {
  std::string_view clang;
  std::string_view nvrtc;
};

constexpr std::array kWords{
    Words{"use of undeclared identifier '%'", "identifier \"%\" is undefined"},
    Words{"use of undeclared identifier '%'; did you mean '%'?", "identifier \"%\" is undefined"},
    Words{"unknown type name '%'", "identifier \"%\" is undefined"},
    Words{"unknown type name '%'; did you mean '%'?", "identifier \"%\" is undefined"},
    Words{"use of undeclared label '%'", "label \"%\" was referenced but not defined"},
    Words{"expected ';'", "expected a \";\""},
    Words{"expected ';' %", "expected a \";\""},
    Words{"expected ')'", "expected a \")\""},
    Words{"expected '}'", "expected a \"}\""},
    Words{"expected expression", "expected an expression"},
    Words{"no member named '%' in '%'", "class \"%\" has no member \"%\""},
    Words{"no member named '%' in namespace '%'", "namespace \"%\" has no member \"%\""},
    Words{"member reference base type '%' is not a structure or union",
          "expression must have class type but it has type \"%\""},
    Words{"redefinition of '%'", "\"%\" has already been defined"},
    Words{"static assertion failed: %", "static assertion failed with \"%\""},
    Words{"static assertion failed", "static assertion failed"},
    Words{"kernel function type '%' must have void return type",
          "a __global__ function must have a void return type"},
    Words{"unused variable '%'", "variable \"%\" was declared but never referenced"},
    Words{"unused function '%'", "function \"%\" was declared but never referenced"},
    Words{"variable '%' set but not used", "variable \"%\" was set but never used"},
    Words{"non-void function does not return a value%",
          "missing return statement at end of non-void function"},
};

// Numbers that programs suppress.
struct Number {
  std::string_view flag;
  int number;
};
constexpr std::array kNumbers{Number{"unused-variable", 177},
                              Number{"unused-function", 177},
                              Number{"unused-but-set-variable", 550},
                              Number{"return-type", 940},
                              Number{"#warnings", 1105},
                              Number{"sign-compare", 68},
                              Number{"unused-value", 174},
                              Number{"unreachable-code", 111},
                              Number{"uninitialized", 549},
                              Number{"macro-redefined", 47},
                              Number{"implicit-fallthrough", 128}};

// The parts at the percent signs, if the text has that form.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view text) {
  std::vector<std::string> pieces;
  while (true) {
    const std::size_t mark = pattern.find('%');
    const std::string_view fixed = pattern.substr(0, mark);
    if (!text.starts_with(fixed)) return std::nullopt;
    text.remove_prefix(fixed.size());
    if (mark == std::string_view::npos) return text.empty() ? std::optional(pieces) : std::nullopt;
    pattern.remove_prefix(mark + 1);
    const std::string_view after = pattern.substr(0, pattern.find('%'));
    const std::size_t end = after.empty() ? text.size() : text.find(after);
    if (end == std::string_view::npos) return std::nullopt;
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string translate(std::string_view text) {
  for (const Words& one : kWords) {
    auto pieces = match(one.clang, text);
    if (!pieces) continue;
    // In the other sentence, the member and the place where it is missing are in the other order.
    if (one.clang.starts_with("no member")) std::swap((*pieces)[0], (*pieces)[1]);
    std::string result;
    std::size_t used = 0;
    for (const char letter : one.nvrtc) {
      if (letter == '%')
        result += (*pieces)[used++];
      else
        result += letter;
    }
    return result;
  }
  return std::string(text);
}

// file:line:column: kind: text [-Wflag]
std::optional<Diagnostic> heading(std::string_view line) {
  for (const std::string_view kind : {"fatal error", "error", "warning", "note"}) {
    const std::string sign = ": " + std::string(kind) + ": ";
    const std::size_t at = line.find(sign);
    if (at == std::string_view::npos) continue;
    std::string_view place = line.substr(0, at);
    Diagnostic found;
    found.kind = kind;
    std::string_view text = line.substr(at + sign.size());
    if (text.ends_with(']') && text.rfind(" [-W") != std::string_view::npos) {
      const std::size_t flag = text.rfind(" [-W");
      found.flag = text.substr(flag + 4, text.size() - flag - 5);
      if (found.flag.starts_with("error,-W")) found.flag.erase(0, 8);
      text = text.substr(0, flag);
    }
    found.text = text;
    for (int part = 0; part < 2; ++part) {
      const std::size_t colon = place.rfind(':');
      if (colon == std::string_view::npos) return std::nullopt;
      const std::string_view digits = place.substr(colon + 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), found.line);
      if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
      place = place.substr(0, colon);
    }
    found.file = place;
    return found;
  }
  return std::nullopt;
}

std::vector<Diagnostic> take_apart(std::string_view output) {
  std::vector<Diagnostic> all;
  unsigned lines_since = 0;
  while (!output.empty()) {
    const std::size_t end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
    if (auto found = heading(line)) {
      all.push_back(std::move(*found));
      lines_since = 0;
    } else if (!all.empty()) {
      ++lines_since;
      if (lines_since == 1) all.back().source = line;
      if (lines_since == 2) all.back().mark = line;
    }
  }
  return all;
}

class Writer {
 public:
  Writer(const Options& options, std::string_view program, const Hidden& hidden,
         const std::vector<std::string>& expressions)
      : options_(options), program_(program), hidden_(hidden), expressions_(expressions) {}

  Report write(const std::vector<Diagnostic>& all) {
    for (std::size_t at = 0; at < all.size(); ++at) one(all, at);
    if (errors_ + catastrophes_ > 0) count();
    return {std::move(log_), errors_ + catastrophes_};
  }

 private:
  std::string place(const Diagnostic& from) const {
    std::string file = from.file;
    if (file.starts_with(hidden_.headers)) file.erase(0, hidden_.headers.size());
    return file + "(" + std::to_string(from.line) + ")";
  }
  int number_of(const Diagnostic& from) const {
    for (const Number& known : kNumbers)
      if (known.flag == from.flag) return known.number;
    return 0;
  }
  void one(const std::vector<Diagnostic>& all, std::size_t at);
  void excerpt(const Diagnostic& from, bool only_mark_begins);
  void fault(const Diagnostic& from);
  void name_expression(const Diagnostic& from);
  void count();

  const Options& options_;
  std::string_view program_;
  const Hidden& hidden_;
  const std::vector<std::string>& expressions_;
  std::string log_;
  unsigned errors_ = 0;
  unsigned catastrophes_ = 0;
  bool remarked_ = false;
  unsigned last_expression_ = 0;
};

void Writer::excerpt(const Diagnostic& from, bool only_mark_begins) {
  if (options_.brief) return;
  const std::size_t mark = from.mark.find('^');
  if (from.source.empty() || mark == std::string::npos) return;
  log_ += "  " + from.source + "\n  ";
  for (std::size_t column = 0; column < mark; ++column)
    log_ += column < from.source.size() && from.source[column] == '\t' ? '\t' : ' ';
  log_ += "^\n";
  if (only_mark_begins) log_ += "\n";
}

void Writer::name_expression(const Diagnostic& from) {
  if (from.line == last_expression_) return;  // what follows from it says no more
  last_expression_ = from.line;
  const std::size_t index = from.line - kFirstNameLine;
  const std::string expression = index < expressions_.size() ? expressions_[index] : "";
  const std::string head = std::string(kNameMap) + "(" + std::to_string(from.line) + "): error: ";
  const std::string shown =
      options_.brief ? "" : "  #pragma nv_mangled_name " + expression + "\n                          ^\n\n";
  log_ += head + translate(from.text) + "\n" + shown + head +
          "Error in parsing name expression for lowered name lookup. Input name expression was: \"" +
          (expression.empty() ? "" : " ") + expression + "\"\n" + shown;
  errors_ += 2;
}

// What cannot be opened and #error end a compilation; NVRTC marks the end of an #include.
void Writer::fault(const Diagnostic& from) {
  std::string_view code = from.source;
  code.remove_prefix(std::min(code.find_first_not_of(" \t"), code.size()));
  const bool directive = from.kind == "error" && code.starts_with('#') && code.ends_with(from.text) &&
                         code.find("error") != std::string_view::npos;
  const std::size_t quote = from.text.find('\'', 1);
  const bool missing = from.text.starts_with('\'') && quote != std::string::npos &&
                       from.text.find(" file not found", quote) == quote + 1;
  const bool ends = from.kind == "fatal error" || directive || missing;
  ends ? ++catastrophes_ : ++errors_;
  std::string said = directive ? "#error directive: " + from.text : translate(from.text);
  Diagnostic shown = from;
  if (missing) {
    const std::string file = from.text.substr(1, quote - 1);
    const bool nowhere = options_.include_paths.empty() &&
                         (!options_.look_beside_source || code.find('<') != std::string_view::npos);
    said = nowhere ? "could not open source file \"" + file + "\" (no directories in search list)"
                   : "cannot open source file \"" + file + "\"";
    shown.mark = std::string(from.source.size(), ' ') + "^";
  }
  if (from.file == "<built-in>") {
    log_ += "Command-line error: " + said + "\n";
    return;
  }
  log_ += place(from) + (ends ? ": catastrophic error: " : ": error: ") + said + "\n";
  excerpt(shown, false);
}

void Writer::one(const std::vector<Diagnostic>& all, std::size_t at) {
  const Diagnostic& from = all[at];
  if (from.file == kNameMap) {
    if (from.kind == "error") name_expression(from);
    return;
  }
  if (from.kind == "note") return;  // a note that is shown is written with its error
  // Warnings about the lines before the program are of no interest.
  if (from.kind == "warning" && from.file.starts_with(hidden_.folder) &&
      !from.file.starts_with(hidden_.headers))
    return;
  const int number = number_of(from);
  const bool raised = from.kind == "warning" && options_.errors.count(number) != 0;
  if (from.kind == "warning" && !raised) {
    if (!options_.warnings || options_.suppressed.count(number) != 0) return;
    const bool numbered = number != 0 && options_.numbers;
    const std::string said =
        from.flag == "#warnings" ? "#warning directive: " + from.text : translate(from.text);
    log_ +=
        place(from) + ": warning" + (numbered ? " #" + std::to_string(number) + "-D: " : ": ") + said + "\n";
    excerpt(from, true);
    if (numbered && !remarked_) {
      log_ += "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n";
      if (!options_.brief) log_ += "\n";
      remarked_ = true;
    }
    return;
  }
  fault(from);
  for (std::size_t next = at + 1; next < all.size() && all[next].kind == "note"; ++next) {
    if (const auto pieces =
            match("in instantiation of function template specialization '%' requested here", all[next].text))
      log_ += "          detected during instantiation of \"" + (*pieces)[0] + "\" at line " +
              std::to_string(all[next].line) + "\n";
  }
  if (!options_.brief) log_ += "\n";
}

void Writer::count() {
  const auto told = [this](unsigned number, std::string_view what) {
    log_ += std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s") +
            " detected in the compilation of \"" + std::string(program_) + "\".\n";
  };
  if (catastrophes_ == 0 && errors_ >= 100) log_ += "Error limit reached.\n";
  if (errors_ > 0) told(errors_, "error");
  if (catastrophes_ > 0) told(catastrophes_, "catastrophic error");
  if (catastrophes_ > 0 || errors_ >= 100) log_ += "Compilation terminated.\n";
}

}  // namespace

Report make_report(std::string_view clang_output, const Options& options, std::string_view program,
                   const Hidden& hidden, const std::vector<std::string>& expressions) {
  return Writer(options, program, hidden, expressions).write(take_apart(clang_output));
}

}  // namespace nvrtc
