// SPDX-License-Identifier: MIT
// See options.hpp: the table of options, and how the value of each kind is read.
#include "options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>

namespace nvrtc {
namespace {

enum class Takes { Nothing, Truth, Number, Count, Choice, Text, Equals, Anything };

struct Known {
  std::string_view name;        // --ftz
  std::string_view short_name;  // -ftz
  Takes takes = Takes::Nothing;
  bool supported = true;          // false: known to NVRTC, and cannot be done here
  std::string_view choices = "";  // between bars
};

// Neither unknown nor repeated in the manual's order: by what an option takes.
constexpr std::array kNownOptions{
    Known{"--device-c", "-dc"},
    Known{"--device-w", "-dw"},
    Known{"--extensible-whole-program", "-ewp"},
    Known{"--device-debug", "-G"},
    Known{"--generate-line-info", "-lineinfo"},
    Known{"--use_fast_math", "-use_fast_math"},
    Known{"--extra-device-vectorization", "-extra-device-vectorization"},
    Known{"--dlink-time-opt", "-dlto", Takes::Nothing, false},
    Known{"--gen-opt-lto", "-gen-opt-lto"},
    Known{"--optix-ir", "-optix-ir", Takes::Nothing, false},
    Known{"--no-source-include", "-no-source-include"},
    Known{"--pch", "-pch"},
    Known{"--disable-warnings", "-w"},
    Known{"--restrict", "-restrict"},
    Known{"--device-as-default-execution-space", "-default-device"},
    Known{"--device-int128", "-device-int128"},
    Known{"--device-float128", "-device-float128", Takes::Nothing, false},
    Known{"--display-error-number", "-err-no"},
    Known{"--no-display-error-number", "-no-err-no"},
    Known{"--fdevice-syntax-only", "-fdevice-syntax-only"},
    Known{"--minimal", "-minimal"},
    Known{"--uumn", "-uumn"},
    Known{"--relocatable-device-code", "-rdc", Takes::Truth},
    Known{"--ftz", "-ftz", Takes::Truth},
    Known{"--prec-sqrt", "-prec-sqrt", Takes::Truth},
    Known{"--prec-div", "-prec-div", Takes::Truth},
    Known{"--fmad", "-fmad", Takes::Truth},
    Known{"--modify-stack-limit", "-modify-stack-limit", Takes::Truth},
    Known{"--device-stack-protector", "-device-stack-protector", Takes::Truth},
    Known{"--builtin-move-forward", "-builtin-move-forward", Takes::Truth},
    Known{"--builtin-initializer-list", "-builtin-initializer-list", Takes::Truth},
    Known{"--pch-verbose", "-pch-verbose", Takes::Truth},
    Known{"--pch-messages", "-pch-messages", Takes::Truth},
    Known{"--instantiate-templates-in-pch", "-instantiate-templates-in-pch", Takes::Truth},
    Known{"--brief-diagnostics", "-brief-diag", Takes::Truth},
    Known{"--version-ident", "-dQ", Takes::Truth},
    Known{"--maxrregcount", "-maxrregcount", Takes::Number},
    Known{"--split-compile", "-split-compile", Takes::Number},
    Known{"--jump-table-density", "-jtd", Takes::Number},
    Known{"--diag-error", "-diag-error", Takes::Count},
    Known{"--diag-suppress", "-diag-suppress", Takes::Count},
    Known{"--diag-warn", "-diag-warn", Takes::Count},
    Known{"--Ofast-compile", "-Ofc", Takes::Choice, true, "|0|min|mid|max|"},
    Known{"--dopt", "-dopt", Takes::Choice, true, "|on|"},
    Known{"--ptxas-options", "-Xptxas", Takes::Text},
    Known{"--gpu-architecture", "-arch", Takes::Text},
    Known{"--define-macro", "-D", Takes::Text},
    Known{"--undefine-macro", "-U", Takes::Text},
    Known{"--include-path", "-I", Takes::Text},
    Known{"--pre-include", "-include", Takes::Text},
    Known{"--std", "-std", Takes::Equals},
    Known{"--optimization-info", "-opt-info", Takes::Equals, true, "|inline|"},
    Known{"--frandom-seed", "-frandom-seed", Takes::Equals},
    Known{"--time", "-time", Takes::Equals},
    Known{"--fdevice-time-trace", "-fdevice-time-trace", Takes::Equals, false},
    Known{"--create-pch", "-create-pch", Takes::Equals, false},
    Known{"--use-pch", "-use-pch", Takes::Equals, false},
    Known{"--pch-dir", "-pch-dir", Takes::Equals},
    Known{"--no-cache", "-no-cache", Takes::Anything},
};

// The letter of a family's or a device's own features goes with these only.
constexpr std::array kOwnFeatures{90, 100, 103, 110, 120, 121};

// How a compilation ends that has no program yet.
constexpr std::string_view kCatastropheAtAll =
    "\n\n1 catastrophic error detected in this compilation.\nCompilation terminated.\n";

bool is_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

class Reader {
 public:
  Reader(const std::vector<const char*>& given, std::string_view program)
      : given_(given), program_(program) {}

  Options read() {
    for (at_ = 0; at_ < given_.size() && options_.result == NVRTC_SUCCESS; ++at_) {
      if (given_[at_] == nullptr) {
        fail("nvrtc: error: number of arguments supplied does not match number of arguments specified");
        break;
      }
      one(without_blanks(given_[at_]));
    }
    if (options_.result == NVRTC_SUCCESS) together();
    return std::move(options_);
  }

 private:
  void one(std::string_view text);
  void handle(const Known& known, bool has_value, std::string_view value);
  void truth(const Known& known, std::string_view value);
  void number(const Known& known, bool has_value, std::string_view value);
  void counts(const Known& known, std::string_view value);
  void architecture(std::string_view value);
  void standard(std::string_view value);
  void macro(const Known& known, std::string_view value);
  void text(const Known& known, std::string_view value);
  void set(const Known& known);
  void together();

  void fail(std::string words, nvrtcResult result = NVRTC_ERROR_INVALID_OPTION) {
    options_.result = result;
    options_.log = std::move(words);
  }
  void unknown(std::string_view text) {
    fail("nvrtc: error: unrecognized option " + std::string(text) + " found\n");
  }
  // The value that follows as an argument of its own.
  bool next(std::string_view& value) {
    if (at_ + 1 >= given_.size() || given_[at_ + 1] == nullptr) return false;
    value = given_[++at_];
    return true;
  }
  static std::string both(const Known& known) {
    return std::string(known.name) + " (" + std::string(known.short_name) + ")";
  }
  void pass(std::string argument) { options_.arguments.push_back(std::move(argument)); }

  const std::vector<const char*>& given_;
  std::string_view program_;
  std::size_t at_ = 0;
  Options options_;
  std::map<std::string_view, std::string> last_;  // values by name of option, for the warning of a second one
};

void Reader::one(std::string_view text) {
  for (const Known& known : kNownOptions) {
    for (const std::string_view spelling : {known.name, known.short_name}) {
      if (!text.starts_with(spelling)) continue;
      std::string_view rest = text.substr(spelling.size());
      const bool attached = spelling == "-D" || spelling == "-U" || spelling == "-I";
      if (rest.empty() || rest.front() == '=' || attached || known.takes == Takes::Anything) {
        const bool has_value = !rest.empty();
        if (has_value && rest.front() == '=') rest.remove_prefix(1);
        if (attached) rest = without_blanks(rest);
        if (!known.supported && (known.takes == Takes::Equals) == has_value &&
            known.name != "--device-float128")
          return fail("nvrtc: error: " + both(known) + " is not supported by the embedded toolkit\n");
        return handle(known, has_value, rest);
      }
    }
  }
  unknown(text);
}

void Reader::handle(const Known& known, bool has_value, std::string_view value) {
  switch (known.takes) {
    case Takes::Nothing:
      if (has_value) return fail("nvrtc: error: " + both(known) + " does not accept any argument\n");
      return set(known);
    case Takes::Truth:
      if (!has_value) next(value);
      return truth(known, value);
    case Takes::Number:
      return number(known, has_value, value);
    case Takes::Count:
      if (!has_value) next(value);
      return counts(known, value);
    case Takes::Choice:
      if (!has_value && !next(value)) {
        // Said, and gone on: measured.
        const std::string_view shown = known.short_name == "-dopt" ? known.short_name : known.name;
        options_.log += "nvrtc: error: " + std::string(shown) + " expects a value\n";
        return;
      }
      if (known.choices.find("|" + std::string(value) + "|") == std::string_view::npos)
        return fail("nvrtc: error: invalid argument for option " + both(known) + ": " + std::string(value) +
                    "\n");
      last_[known.name] = value;
      return;
    case Takes::Text:
      if (!has_value && !next(value) && known.name == "--ptxas-options") {
        options_.log += "nvrtc: error: -Xptxas expects a value\n";
        return;
      }
      return text(known, value);
    case Takes::Equals:
      if (!has_value) return unknown(without_blanks(given_[at_]));
      return text(known, value);
    case Takes::Anything:
      options_.cached = false;
      return;
  }
}

void Reader::set(const Known& known) {
  const std::string_view name = known.name;
  last_[name] = "";
  if (name == "--device-float128") {
    // As it is written there.
    fail("nvrtc: error: option --device-float128 is not supportedon architectures earlier than sm_100");
  } else if (name == "--device-c") {
    pass("-dc");
  } else if (name == "--generate-line-info") {
    pass("-lineinfo");
  } else if (name == "--use_fast_math") {
    pass("-use_fast_math");
  } else if (name == "--no-source-include") {
    options_.look_beside_source = false;
  } else if (name == "--disable-warnings") {
    options_.warnings = false;
    pass("-w");
  } else if (name == "--device-as-default-execution-space") {
    options_.default_device = true;
  } else if (name == "--display-error-number") {
    options_.numbers = true;
  } else if (name == "--no-display-error-number") {
    options_.numbers = false;
  } else if (name == "--fdevice-syntax-only") {
    options_.syntax_only = true;
  }
}

void Reader::truth(const Known& known, std::string_view value) {
  if (value != "true" && value != "false")
    return fail("nvrtc: error: " + both(known) + " expects true or false\n");
  const auto [place, first] = last_.emplace(known.name, value);
  if (!first && place->second != value) {
    const std::string shown = "\"" + std::string(known.name) + "(" + std::string(known.short_name) + ")=";
    options_.log +=
        "nvrtc: warning: " + shown + place->second + "\" followed by " + shown + std::string(value) + "\"\n";
    place->second = value;
  }
  const std::string_view name = known.name;
  if (name == "--ftz" || name == "--prec-sqrt" || name == "--prec-div" || name == "--fmad" ||
      name == "--relocatable-device-code")
    pass(std::string(known.short_name) + "=" + std::string(value));
  if (name == "--brief-diagnostics") options_.brief = value == "true";
}

void Reader::number(const Known& known, bool has_value, std::string_view value) {
  const bool there = has_value ? !value.empty() : next(value);
  if (there && !is_number(value)) return fail("nvrtc: error: " + both(known) + " expects an integer value\n");
  if (known.name == "--split-compile" && value.starts_with('-'))
    return fail("nvrtc: error: Argument for -split-compile must be non-negative\n");
  if (!last_.emplace(known.name, value).second && known.name == "--maxrregcount")
    options_.log +=
        "nvrtc: warning: incompatible redefinition for option '--maxrregcount', the last value of this "
        "option "
        "was used\n";
}

void Reader::counts(const Known& known, std::string_view value) {
  while (true) {
    const std::size_t comma = value.find(',');
    const std::string_view one = value.substr(0, comma);
    int count = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), count);
    if (error != std::errc() || end != one.data() + one.size() || count <= 0)
      return fail("nvrtc: error: " + std::string(known.name) +
                  " expects a non-zero positive integer value\n");
    if (known.name == "--diag-suppress") options_.suppressed.insert(count);
    if (known.name == "--diag-error") options_.errors.insert(count);
    if (known.name == "--diag-warn") options_.errors.erase(count);
    if (comma == std::string_view::npos) return;
    value.remove_prefix(comma + 1);
  }
}

void Reader::architecture(std::string_view value) {
  const std::string_view whole = value;
  const bool device = value.starts_with("sm_");
  if (device || value.starts_with("compute_")) value.remove_prefix(device ? 3 : 8);
  std::string_view digits = value;
  const bool letter = !digits.empty() && (digits.back() == 'a' || digits.back() == 'f');
  if (letter) digits.remove_suffix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const auto& all = supported_architectures();
  if (value.size() == whole.size() || error != std::errc() || end != digits.data() + digits.size() ||
      std::find(all.begin(), all.end(), number) == all.end())
    return fail("nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
  const bool own = std::find(kOwnFeatures.begin(), kOwnFeatures.end(), number) != kOwnFeatures.end();
  if (letter && (!own || (number == 90 && value.back() == 'f')))
    return fail("Command-line error: invalid or no value specified with --nv_arch flag" +
                    std::string(kCatastropheAtAll),
                NVRTC_ERROR_COMPILATION);
  const auto [place, first] = last_.emplace("--gpu-architecture", value);
  if (!first && place->second != value) {
    options_.log += "nvrtc: warning: \"--gpu-architecture(-arch)=" + place->second +
                    "\" followed by \"--gpu-architecture(-arch)=" + std::string(value) + "\"\n";
    place->second = value;
  }
  options_.architecture = value;
  options_.for_device |= device;  // measured: sm_80 before compute_75 still gives a cubin
}

void Reader::standard(std::string_view value) {
  if (std::string_view("|c++03|c++11|c++14|c++17|c++20|").find("|" + std::string(value) + "|") ==
      std::string_view::npos)
    return fail("nvrtc: error: invalid value for --std(-std)\n");
  const auto [place, first] = last_.emplace("--std", value);
  if (!first && place->second != value) {
    options_.log += "nvrtc: warning: \"--std (-std)=" + place->second +
                    "\" followed by \"--std (-std)=" + std::string(value) + "\"\n";
    place->second = value;
  }
  // The headers in front of a kernel need C++11.
  pass("-std=" + (value == "c++03" ? "c++11" : std::string(value)));
}

void Reader::macro(const Known& known, std::string_view value) {
  const bool defines = known.name == "--define-macro";
  const bool name =
      !value.empty() && (std::isalpha(static_cast<unsigned char>(value.front())) != 0 ||
                         value.front() == '_' || static_cast<unsigned char>(value.front()) >= 0x80);
  if (!name)
    return fail(catastrophe("Command-line error: invalid macro " + std::string(defines ? "" : "un") +
                                "definition: " + std::string(value),
                            program_),
                NVRTC_ERROR_COMPILATION);
  pass((defines ? "-D" : "-U") + std::string(value));
}

void Reader::text(const Known& known, std::string_view value) {
  const std::string_view name = known.name;
  if (name == "--gpu-architecture") return architecture(value);
  if (name == "--std") return standard(value);
  if (name == "--define-macro" || name == "--undefine-macro") return macro(known, value);
  if (name == "--include-path" && !value.empty()) options_.include_paths.emplace_back(value);
  if (name == "--pre-include") {
    pass("-include");
    pass(std::string(value));
  }
  if (name == "--optimization-info" && value != "inline")
    return fail("nvrtc: error: invalid optimization tag for option " + both(known) + ": " +
                std::string(value) + "\n");
  std::error_code ignored;
  if (name == "--pch-dir" && !std::filesystem::is_directory(value, ignored))
    return fail(
        "Command-line error: invalid PCH directory: " + std::string(value) + std::string(kCatastropheAtAll),
        NVRTC_ERROR_COMPILATION);
  if (name == "--time") options_.time_file = value;
}

void Reader::together() {
  const auto has = [this](std::string_view name) { return last_.find(name) != last_.end(); };
  if (has("--extensible-whole-program") && has("--device-c"))
    return fail("nvrtc: error: --extensible-whole-program (-ewp) is not compatible with --device-c (-dc)\n");
  if (has("--device-c") && has("--relocatable-device-code") && last_["--relocatable-device-code"] == "false")
    return fail(
        "nvrtc: error: --device-c (-dc) is not compatible with --relocatable-device-code=false "
        "(-rdc=false)\n");
  if (has("--device-debug")) pass(has("--dopt") ? "-lineinfo" : "-G");
  // clang does not have 88, which runs code for 87.
  pass("-arch=sm_" + (options_.architecture == "88" ? "87" : options_.architecture));
}

}  // namespace

Options read_options(const std::vector<const char*>& given, std::string_view program) {
  return Reader(given, program).read();
}

const std::vector<int>& supported_architectures() {
  static const std::vector<int> all = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  return all;
}

std::string catastrophe(std::string_view words, std::string_view program) {
  return std::string(words) + "\n\n1 catastrophic error detected in the compilation of \"" +
         std::string(program) + "\".\nCompilation terminated.\n";
}

}  // namespace nvrtc
