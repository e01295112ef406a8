// SPDX-License-Identifier: MIT
// The harness of the conformance suite: tests register themselves, run in child processes, and count what
// they check. A harness of our own, because the program is carried to machines with a real GPU that have no
// test library, and because a check here has an origin: the manual or an H200, or it has not been measured
// it yet. Must not depend on the embedded driver; uses cuda.h only.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace conformance {

struct Place {
  const char* file;
  int line;
};

// Where an expectation comes from. A difference in something that was never measured is reported, but is no
// failure on a real GPU.
enum class Origin { Told, Unmeasured };

// `Alone`: in a process of its own, because it starts before cuInit or leaves an error that sticks.
enum class Company { Shared, Alone };

using Body = void (*)();

bool add(const char* group, const char* name, Company company, Body body);

// Ends the running test, because the rest of it has no meaning any more.
struct Ended {};
[[noreturn]] void end_test();
// Ends it without a verdict, with the reason.
[[noreturn]] void skip(const std::string& why);

void check(bool holds, Origin origin, Place place, const char* what, const std::string& expected,
           const std::string& answered);

std::string text(CUresult result);
inline std::string text(const char* words) {
  return words != nullptr ? words : "(null)";
}
inline std::string text(const std::string& words) {
  return words;
}
inline std::string text(bool yes) {
  return yes ? "true" : "false";
}
template <typename Value>
std::string text(const Value& value) {
  if constexpr (std::is_same_v<Value, std::nullptr_t>) {
    return "null";
  } else if constexpr (std::is_pointer_v<Value>) {
    return value == nullptr ? "null" : "a pointer";  // never its value: two runs should print the same
  } else if constexpr (std::is_enum_v<Value>) {
    return std::to_string(static_cast<long long>(value));
  } else {
    return std::to_string(value);
  }
}

inline bool check_result(CUresult expected, CUresult answered, Origin origin, Place place, const char* what) {
  check(expected == answered, origin, place, what, text(expected), text(answered));
  return expected == answered;
}

template <typename Expected, typename Answered>
void check_equal(const Expected& expected, const Answered& answered, Origin origin, Place place,
                 const char* what) {
  bool same = false;
  if constexpr (std::is_integral_v<Expected> && std::is_integral_v<Answered>) {
    same = static_cast<long long>(expected) == static_cast<long long>(answered);
  } else if constexpr (std::is_convertible_v<Expected, std::string> &&
                       std::is_convertible_v<Answered, std::string>) {
    same = text(expected) == text(answered);
  } else {
    same = expected == answered;
  }
  check(same, origin, place, what, text(expected), text(answered));
}

// A number that no enumerator has; a program in C may pass it.
template <typename Enumeration>
Enumeration made_up(int number) {
  Enumeration value{};
  static_assert(sizeof value == sizeof number);
  std::memcpy(&value, &number, sizeof value);
  return value;
}

}  // namespace conformance

#define CONFORMANCE_PLACE \
  ::conformance::Place {  \
    __FILE__, __LINE__    \
  }
#define CONFORMANCE_TEST(group, name, company)                                  \
  static void name();                                                           \
  [[maybe_unused]] static const bool name##_is_added =                          \
      ::conformance::add(#group, #name, ::conformance::Company::company, name); \
  static void name()

#define TEST(group, name) CONFORMANCE_TEST(group, name, Shared)
#define TEST_ALONE(group, name) CONFORMANCE_TEST(group, name, Alone)

// The origin is the manual or an H200.
#define ANSWERS(expected, call) \
  ::conformance::check_result(expected, call, ::conformance::Origin::Told, CONFORMANCE_PLACE, #call)
#define SUCCEEDS(call) ANSWERS(CUDA_SUCCESS, call)
#define EQUAL(expected, value) \
  ::conformance::check_equal(expected, value, ::conformance::Origin::Told, CONFORMANCE_PLACE, #value)
#define HOLDS(condition) EQUAL(true, static_cast<bool>(condition))

// Not measured yet: concluded from what the manual does not say, or from similar calls.
#define PROBABLY_ANSWERS(expected, call) \
  ::conformance::check_result(expected, call, ::conformance::Origin::Unmeasured, CONFORMANCE_PLACE, #call)
#define PROBABLY_EQUAL(expected, value) \
  ::conformance::check_equal(expected, value, ::conformance::Origin::Unmeasured, CONFORMANCE_PLACE, #value)

// A condition that the rest of the test needs.
#define NEEDS(call)                                 \
  do {                                              \
    if (!SUCCEEDS(call)) ::conformance::end_test(); \
  } while (false)
