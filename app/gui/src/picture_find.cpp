// SPDX-License-Identifier: MIT
// See picture_find.hpp.
#include "picture_find.hpp"
#include "lab/letters.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gui::picture {
namespace {

constexpr std::size_t kMostFound = 500;

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// "S1" is not "S12": after a number no further digit may follow.
bool name_matches(const std::string& name, const std::string& wanted) {
  const std::string all = lab::lower_case(name);
  for (std::size_t at = all.find(wanted); at != std::string::npos; at = all.find(wanted, at + 1)) {
    const bool begins = at == 0 || all[at - 1] == '.' || all[at - 1] == ' ' || wanted.size() > 2;
    const std::size_t end = at + wanted.size();
    const bool cuts_number = is_digit(wanted.back()) && end < all.size() && is_digit(all[end]);
    if (begins && !cuts_number) return true;
  }
  return false;
}

std::optional<std::uint64_t> address_of(const std::string& wanted) {
  if (!wanted.starts_with("0x") || wanted.size() < 3) return std::nullopt;
  std::uint64_t value = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto read = std::from_chars(wanted.data() + 2, end, value, 16);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

struct Finder {
  std::string wanted;
  std::optional<std::uint64_t> address;
  std::string line;  // ":34": the end of a place; "" when no line was asked for
  bool only_line = false;
  const PlaceOf& place;

  bool matches(const std::string& name, std::uint64_t handle, std::uint64_t size, std::uint64_t event) const {
    if (address) return handle == *address || (size > 0 && *address >= handle && *address - handle < size);
    if (!only_line && name_matches(name, wanted)) return true;
    if (line.empty() || !place) return false;
    const std::string at = lab::lower_case(place(event));
    return at.size() >= line.size() && at.ends_with(line) &&
           (at.size() == line.size() || line.front() == ':' || at[at.size() - line.size() - 1] == '/');
  }
};

Finder finder_for(const std::string& words, const PlaceOf& place) {
  std::string wanted = lab::lower_case(words);
  while (!wanted.empty() && wanted.back() == ' ') wanted.pop_back();
  Finder finder{wanted, address_of(wanted), {}, false, place};
  const bool number = !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), is_digit);
  const std::size_t colon = wanted.rfind(':');
  if (number)
    finder.line = ":" + wanted;
  else if (colon != std::string::npos && colon + 1 < wanted.size() &&
           std::all_of(wanted.begin() + static_cast<std::ptrdiff_t>(colon) + 1, wanted.end(), is_digit))
    finder.line = wanted, finder.only_line = true;
  return finder;
}

}  // namespace

std::vector<lab::ObjectId> find_in(const lab::State& state, const std::string& words, const PlaceOf& place) {
  std::vector<lab::ObjectId> found;
  const Finder finder = finder_for(words, place);
  if (finder.wanted.empty()) return found;
  const auto add = [&](lab::ObjectId id) {
    if (found.size() < kMostFound) found.push_back(id);
  };
  for (const lab::Thread& thread : state.threads) {
    const lab::ObjectId id{lab::ObjectKind::Thread, thread.number};
    if (!finder.address && !finder.only_line && name_matches(state.name_of(id), finder.wanted)) add(id);
  }
  for (std::uint32_t i = 0; i < state.contexts.size(); ++i) {
    const lab::Context& context = state.contexts[i];
    if (context.hidden) continue;
    if (finder.matches(context.name, context.handle, 0, context.created_at))
      add({lab::ObjectKind::Context, i});
  }
  for (const lab::Object& object : state.objects)
    if (finder.matches(lab::object_name(object), object.handle, 0, object.created_at)) add(object.id);
  for (const lab::Allocation& a : state.allocations)
    if (finder.matches("#" + std::to_string(a.number), a.address, a.size, a.created_at))
      add({lab::ObjectKind::Allocation, a.number});
  return found;
}

}  // namespace gui::picture
