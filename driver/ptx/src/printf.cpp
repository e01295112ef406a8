// SPDX-License-Identifier: MIT
// The conversions of C's printf, one at a time, each through snprintf with the one argument that it takes.
// The buffer's layout follows C's promotions: 4 bytes for int, 8 (aligned) for long, pointers and double.
#include "ptx/printf.hpp"

#include <cstdio>
#include <cstring>

namespace ptx {
namespace {

constexpr std::size_t kMostText = 1 << 16;

bool read_string(const ReadGeneric& read, std::uint64_t address, std::string& text) {
  for (; text.size() < kMostText; ++address) {
    const std::byte* byte = read(address, 1);
    if (byte == nullptr) return false;
    if (*byte == std::byte{0}) return true;
    text.push_back(static_cast<char>(*byte));
  }
  return true;
}

class Arguments {
 public:
  Arguments(const ReadGeneric& read, std::uint64_t address) : read_(read), address_(address) {}
  template <class Value>
  bool next(Value& value) {
    address_ = (address_ + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value);
    const std::byte* bytes = read_(address_, sizeof(Value));
    if (bytes == nullptr) return false;
    std::memcpy(&value, bytes, sizeof(Value));
    address_ += sizeof(Value);
    return true;
  }

 private:
  const ReadGeneric& read_;
  std::uint64_t address_;
};

template <class Value>
void append(std::string& text, const std::string& conversion, Value value) {
  char buffer[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(buffer, sizeof buffer, conversion.c_str(), value);
#pragma GCC diagnostic pop
  text.append(buffer, static_cast<std::size_t>(std::min(std::max(length, 0), int{sizeof buffer} - 1)));
}

// One conversion; `flags` is "%-08.3" as far as it is plain, `letter` its end, `wide` for l and ll.
bool convert_one(const ReadGeneric& read, Arguments& arguments, const std::string& flags, char letter,
                 bool wide, std::string& text) {
  if (std::strchr("diouxXc", letter) != nullptr) {
    if (wide) {
      long long value = 0;
      if (!arguments.next(value)) return false;
      append(text, flags + "ll" + letter, value);
    } else {
      int value = 0;
      if (!arguments.next(value)) return false;
      append(text, flags + letter, value);
    }
    return true;
  }
  if (std::strchr("eEfFgGaA", letter) != nullptr) {
    double value = 0;
    if (!arguments.next(value)) return false;
    append(text, flags + letter, value);
    return true;
  }
  std::uint64_t pointer = 0;
  if (!arguments.next(pointer)) return false;
  if (letter == 'p') {
    append(text, flags + letter, reinterpret_cast<void*>(pointer));
    return true;
  }
  std::string value;
  if (!read_string(read, pointer, value)) return false;
  append(text, flags + 's', value.c_str());
  return true;
}

}  // namespace

bool format_printf(const ReadGeneric& read, std::uint64_t format_address, std::uint64_t argument_address,
                   std::string& text, unsigned& count) {
  std::string format;
  count = 0;
  if (!read_string(read, format_address, format)) return false;
  Arguments arguments(read, argument_address);
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      text.push_back(format[i]);
      continue;
    }
    if (format[i + 1] == '%') {
      text.push_back('%');
      ++i;
      continue;
    }
    const std::size_t start = i++;
    while (i < format.size() && std::strchr("-+ #0123456789.", format[i]) != nullptr && i - start < 16) ++i;
    const std::string flags = format.substr(start, i - start);
    bool wide = false;
    while (i < format.size() && std::strchr("lhzjt", format[i]) != nullptr) wide = format[i++] != 'h' || wide;
    if (i >= format.size() || std::strchr("diouxXceEfFgGaAsp", format[i]) == nullptr) {
      text += format.substr(start, i + 1 - start);
      continue;
    }
    if (!convert_one(read, arguments, flags, format[i], wide, text)) return false;
    ++count;
  }
  return true;
}

}  // namespace ptx
