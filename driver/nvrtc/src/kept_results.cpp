// SPDX-License-Identifier: MIT
// See kept_results.hpp: makes the key of a result, and writes its texts one after another.
#include "kept_results.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace nvrtc {
namespace {

// Size and time: what changes when a file is written.
std::string state_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return "none";
  return std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + " " +
         std::to_string(status.st_mtim.tv_nsec);
}

void add_text(std::string& to, const std::string& text) {
  const std::uint64_t size = text.size();
  to.append(reinterpret_cast<const char*>(&size), sizeof size);
  to += text;
}

class TextReader {
 public:
  explicit TextReader(std::span<const std::byte> bytes) : left_(bytes) {}
  bool done() const { return left_.empty(); }
  bool good() const { return good_; }
  std::string next() {
    std::uint64_t size = 0;
    if (left_.size() < sizeof size) return bad();
    std::memcpy(&size, left_.data(), sizeof size);
    left_ = left_.subspan(sizeof size);
    if (left_.size() < size) return bad();
    std::string text(reinterpret_cast<const char*>(left_.data()), size);
    left_ = left_.subspan(size);
    return text;
  }

 private:
  std::string bad() {
    good_ = false;
    left_ = {};
    return "";
  }
  std::span<const std::byte> left_;
  bool good_ = true;
};

// The compilers that ptxcc could take are in PATH; a new or other one is another state.
void add_compiler(runner::CacheKey& key, const std::string& ptxcc) {
  const std::string home = ptxcc.substr(0, ptxcc.rfind("/bin/"));
  key.add(state_of(ptxcc)).add(state_of(home + "/libexec/clang.sh"));
  const std::string headers = home + "/include/ptxcc";
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(headers.c_str()), closedir);
  if (listing != nullptr) {
    std::vector<std::string> names;
    while (const dirent* const entry = readdir(listing.get())) names.emplace_back(entry->d_name);
    std::sort(names.begin(), names.end());
    std::string path;
    for (const std::string& name : names) {
      if (name == "." || name == "..") continue;
      path = headers;
      path += '/';
      path += name;
      key.add(name).add(state_of(path));
    }
  }
  const char* const chosen = std::getenv("PTXCC_CLANG");
  key.add(chosen == nullptr ? "" : chosen);
  if (chosen != nullptr) key.add(state_of(chosen));
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t colon = folders.find(':');
    const std::string folder(folders.substr(0, colon));
    const std::string state = state_of(folder + "/clang++-" DRIVERLAB_CLANG);
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
    key.add(state);
    if (state != "none") break;
    key.add(state_of(folder + "/clang++"));
  }
}

}  // namespace

runner::CacheKey key_of(const Source& source, const Options& options, const std::string& ptxcc) {
  runner::CacheKey key;
  key.add("nvrtc 1").add(source.name).add(source.text).add(source.headers.size());
  for (const Header& header : source.headers) key.add(header.name).add(header.text);
  key.add(source.expressions.size());
  for (const std::string& expression : source.expressions) key.add(expression);
  key.add(options.arguments.size());
  for (const std::string& argument : options.arguments) key.add(argument);
  key.add(options.include_paths.size());
  for (const std::string& path : options.include_paths) key.add(path);
  key.add((options.default_device ? 1 : 0) | (options.look_beside_source ? 2 : 0) | (options.brief ? 4 : 0) |
          (options.numbers ? 8 : 0) | (options.warnings ? 16 : 0) | (options.syntax_only ? 32 : 0));
  for (const auto* const set : {&options.suppressed, &options.errors}) {
    key.add(set->size());
    for (const int number : *set) key.add(static_cast<std::uint64_t>(number));
  }
  // Relative names of files mean something else elsewhere.
  if (char* const folder = realpath(".", nullptr)) {
    key.add(folder);
    std::free(folder);
  }
  add_compiler(key, ptxcc);
  return key;
}

std::optional<Compiled> find_result(const runner::CacheKey& key) {
  const auto bytes = runner::KernelCache::from_environment().find(key);
  if (!bytes) return std::nullopt;
  TextReader reader(*bytes);
  Compiled result;
  result.log = reader.next();
  result.ptx = reader.next();
  for (std::string expression = reader.next(); !expression.empty(); expression = reader.next())
    result.lowered[expression] = reader.next();
  while (reader.good() && !reader.done()) {
    const std::string file = reader.next();
    if (reader.next() != state_of(file)) return std::nullopt;
  }
  return reader.good() ? std::optional(result) : std::nullopt;
}

void keep_result(const runner::CacheKey& key, const Compiled& result, const std::vector<std::string>& files) {
  std::string text;
  add_text(text, result.log);
  add_text(text, result.ptx);
  for (const auto& [expression, name] : result.lowered) {
    add_text(text, expression);
    add_text(text, name);
  }
  add_text(text, "");
  for (const std::string& file : files) {
    add_text(text, file);
    add_text(text, state_of(file));
  }
  runner::KernelCache::from_environment().keep(key, std::as_bytes(std::span(text)));
}

}  // namespace nvrtc
