// SPDX-License-Identifier: MIT
// NVTX for C++: ranges that end with their scope, marks, domains and what may be said of them.
//
// By way of nvToolsExt.h, where nothing listens. What is said of an event is not kept.
#ifndef NVTX3_CPP_DEFINITION_V1_0
#define NVTX3_CPP_DEFINITION_V1_0

#include <string>
#include <utility>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct domain {
  struct global {};
  template <class D = global>
  static const domain& get() {
    static const domain one;
    return one;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }
};

struct rgb {
  using component_type = uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};
struct argb {
  using component_type = uint8_t;
  constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
      : alpha(a), red(r), green(g), blue(b) {}
  component_type alpha, red, green, blue;
};
class color {
 public:
  using value_type = uint32_t;
  constexpr explicit color(value_type code) noexcept : code_(code) {}
  constexpr color(argb c) noexcept
      : code_(static_cast<value_type>(c.alpha) << 24 | static_cast<value_type>(c.red) << 16 |
              static_cast<value_type>(c.green) << 8 | c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return code_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

 private:
  value_type code_;
};
class category {
 public:
  using id_type = uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};
template <class D = domain::global>
class named_category_in : public category {
 public:
  named_category_in(id_type id, const char*) noexcept : category(id) {}
  named_category_in(id_type id, const wchar_t*) noexcept : category(id) {}
};
using named_category = named_category_in<>;

template <class D = domain::global>
class registered_string_in {
 public:
  explicit registered_string_in(const char*) noexcept {}
  explicit registered_string_in(const std::string&) noexcept {}
  explicit registered_string_in(const wchar_t*) noexcept {}
  nvtxStringHandle_t get_handle() const noexcept { return nullptr; }
};
using registered_string = registered_string_in<>;

class message {
 public:
  using value_type = nvtxMessageValue_t;
  constexpr message(const char* text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII), value_{text} {}
  message(const std::string& text) noexcept : message(text.c_str()) {}
  message(std::string&&) = delete;  // it would be gone before it is read
  message(const wchar_t* text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
  template <class D>
  message(const registered_string_in<D>& string) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) {
    value_.registered = string.get_handle();
  }
  nvtxMessageType_t get_type() const noexcept { return type_; }
  value_type get_value() const noexcept { return value_; }

 private:
  nvtxMessageType_t type_;
  value_type value_{};
};
class payload {
 public:
  template <class T>
  constexpr explicit payload(T) noexcept {}
};

class event_attributes {
 public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept : value_() {
    value_.version = NVTX_VERSION;
    value_.size = sizeof(value_type);
  }
  template <class First, class... Rest>
  explicit event_attributes(const First& first, const Rest&... rest) noexcept : event_attributes(rest...) {
    set(first);
  }
  const value_type* get() const noexcept { return &value_; }

 private:
  void set(const color& c) noexcept {
    value_.colorType = NVTX_COLOR_ARGB;
    value_.color = c.get_value();
  }
  void set(const category& c) noexcept { value_.category = c.get_id(); }
  void set(const payload&) noexcept {}
  void set(const message& m) noexcept {
    value_.messageType = m.get_type();
    value_.message = m.get_value();
  }
  value_type value_;
};

template <class D = domain::global>
class scoped_range_in {
 public:
  explicit scoped_range_in(const event_attributes& what) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), what.get());
  }
  template <class... Arguments>
  explicit scoped_range_in(const Arguments&... arguments) noexcept
      : scoped_range_in(event_attributes(arguments...)) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
  ~scoped_range_in() { nvtxDomainRangePop(domain::get<D>()); }
};
using scoped_range = scoped_range_in<>;

struct range_handle {
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id = 0) noexcept : id(id) {}
  constexpr value_type get_value() const noexcept { return id; }
  value_type id;
};
template <class D = domain::global, class... Arguments>
range_handle start_range_in(const Arguments&... arguments) noexcept {
  return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), event_attributes(arguments...).get()));
}
template <class... Arguments>
range_handle start_range(const Arguments&... arguments) noexcept {
  return start_range_in<domain::global>(arguments...);
}
template <class D = domain::global>
void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept {
  end_range_in<domain::global>(range);
}
// Ends where it is destroyed, and may be handed on.
template <class D = domain::global>
class unique_range_in {
 public:
  template <class... Arguments>
  explicit unique_range_in(const Arguments&... arguments) noexcept
      : range_(start_range_in<D>(arguments...)) {}
  unique_range_in(unique_range_in&& other) noexcept : range_(std::exchange(other.range_, range_handle())) {}
  unique_range_in& operator=(unique_range_in&& other) noexcept {
    std::swap(range_, other.range_);
    return *this;
  }
  ~unique_range_in() { end_range_in<D>(range_); }

 private:
  range_handle range_;
};
using unique_range = unique_range_in<>;

template <class D = domain::global, class... Arguments>
void mark_in(const Arguments&... arguments) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), event_attributes(arguments...).get());
}
template <class... Arguments>
void mark(const Arguments&... arguments) noexcept {
  mark_in<domain::global>(arguments...);
}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D)                   \
  const ::nvtx3::scoped_range_in<D> nvtx3_range__ { \
    ::nvtx3::message(__func__)                      \
  }
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::domain::global)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN

#endif  // NVTX3_CPP_DEFINITION_V1_0
