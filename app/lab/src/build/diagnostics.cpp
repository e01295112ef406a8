// SPDX-License-Identifier: MIT
// Reads the messages of compilers and linkers: gcc, clang and nvcc; ld, lld and mold. Lines that it does not
// understand stay in the build's output; they are only not listed.
#include <array>
#include <charconv>

#include "lab/builder.hpp"

namespace lab {
namespace {

using Severity = Diagnostic::Severity;
struct Marker {
  std::string_view words;
  Severity severity;
};
constexpr std::array<Marker, 6> kMarkers{{{": fatal error: ", Severity::Error},
                                          {": error: ", Severity::Error},
                                          {": warning: ", Severity::Warning},
                                          {": note: ", Severity::Note},
                                          // nvcc: "main.cu(12): warning #177-D: …"
                                          {": error #", Severity::Error},
                                          {": warning #", Severity::Warning}}};

bool starts_with(std::string_view s, std::string_view with) {
  return s.substr(0, with.size()) == with;
}

// Takes ":NUMBER" off the end of `text`, or nvcc's "(NUMBER)".
std::optional<int> take_number(std::string_view& text) {
  if (!text.empty() && text.back() == ')') {
    const auto open = text.rfind('(');
    int line = 0;
    if (open == std::string_view::npos) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + open + 1, text.data() + text.size(), line);
    if (error != std::errc{} || end != text.data() + text.size() - 1 || line < 0) return std::nullopt;
    text = text.substr(0, open);
    return line;
  }
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

// "main.cpp:12:5" or "main.cpp:12"
void set_place(std::string_view place, Diagnostic& diagnostic) {
  std::string_view rest = place;
  const auto last = take_number(rest);
  if (!last) return;
  const auto before = take_number(rest);
  diagnostic.line = before ? *before : *last;
  diagnostic.column = before ? *last : 0;
  diagnostic.file = std::string(rest);
}

std::string below(const std::string& file, const std::filesystem::path& folder) {
  if (file.empty()) return file;
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (path.is_relative()) return path.string();
  const auto relative = path.lexically_relative(folder.lexically_normal());
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

// "main.cpp:12:5: error: …"; for a tool's own words ("ld.lld: error: …") the file stays empty.
std::optional<Diagnostic> from_marked_line(std::string_view line) {
  for (const Marker& marker : kMarkers) {
    const auto at = line.find(marker.words);
    if (at == std::string_view::npos) continue;
    Diagnostic diagnostic;
    diagnostic.severity = marker.severity;
    diagnostic.message = std::string(line.substr(at + marker.words.size()));
    set_place(line.substr(0, at), diagnostic);
    return diagnostic;
  }
  return std::nullopt;
}

// What ptxcc and cuda++ say themselves: "ptxcc: scale.cu:7: clang 19 crashed here …", "ptxcc: clang 19 is
// needed …".
std::optional<Diagnostic> from_own_tool(std::string_view line) {
  for (const std::string_view tool : {"ptxcc: ", "cuda++: "}) {
    if (!starts_with(line, tool)) continue;
    line = line.substr(tool.size());
    Diagnostic diagnostic;
    diagnostic.message = std::string(line);
    const auto end = line.find(": ");
    if (end != std::string_view::npos) set_place(line.substr(0, end), diagnostic);
    if (diagnostic.line != 0) diagnostic.message = std::string(line.substr(end + 2));
    return diagnostic;
  }
  return std::nullopt;
}

// ld: "/usr/bin/ld: FOLDER/main.cpp:12: undefined reference to `f()'"
std::optional<Diagnostic> from_plain_linker_line(std::string_view line) {
  const auto at = line.find(": undefined reference to ");
  if (at == std::string_view::npos) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.message = std::string(line.substr(at + 2));
  std::string_view place = line.substr(0, at);
  if (const auto tool = place.rfind(": "); tool != std::string_view::npos) place = place.substr(tool + 2);
  set_place(place, diagnostic);
  return diagnostic;
}

// lld, mold: ">>> referenced by main.cpp:12 (FOLDER/main.cpp:12)" after the error it belongs to.
void add_reference(std::string_view line, Diagnostic& diagnostic) {
  constexpr std::string_view kWords = ">>> referenced by ";
  const auto at = line.find(kWords);
  if (at == std::string_view::npos || diagnostic.line != 0) return;
  std::string_view place = line.substr(at + kWords.size());
  set_place(place.substr(0, place.find_first_of(" \t\r")), diagnostic);
}

// The last message of a failed link repeats what was said before.
bool says_only_that_it_failed(const Diagnostic& diagnostic) {
  return starts_with(diagnostic.message, "linker command failed") ||
         starts_with(diagnostic.message, "ld returned");
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(std::string_view compiler_output,
                                          const std::filesystem::path& source_folder) {
  std::vector<Diagnostic> found;
  while (!compiler_output.empty()) {
    const auto end = compiler_output.find('\n');
    const std::string_view line = compiler_output.substr(0, end);
    compiler_output = end == std::string_view::npos ? std::string_view{} : compiler_output.substr(end + 1);
    if (!found.empty()) add_reference(line, found.back());
    auto diagnostic = from_marked_line(line);
    if (!diagnostic) diagnostic = from_plain_linker_line(line);
    if (!diagnostic) diagnostic = from_own_tool(line);
    if (diagnostic && (found.empty() || !says_only_that_it_failed(*diagnostic))) found.push_back(*diagnostic);
  }
  for (Diagnostic& diagnostic : found) diagnostic.file = below(diagnostic.file, source_folder);
  return found;
}

}  // namespace lab
