// SPDX-License-Identifier: MIT
// Failures of advice and prefetches: memory that is not managed, and places that do not exist. Measured on an
// H100 and an H200: scenarios managed_refused, managed_places, managed_without_v2.
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "model/explain.hpp"

namespace lab {
namespace {

constexpr std::int32_t kRefused = 1, kNoSuchDevice = 101;
constexpr std::uint64_t kPreferredLocation = 3, kAccessedBy = 5, kNotAccessedBy = 6;  // CUmem_advise
constexpr std::uint64_t kConcurrentManagedAccess = 89;                                // CUdevice_attribute
constexpr std::int32_t kHostNumber = -1;                                              // CU_DEVICE_CPU

std::optional<std::int32_t> device_number_in(std::string_view digits) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

// A variable has no allocation of its own in the model, and a managed one is managed memory.
bool in_a_variable(const Failure& failure, std::uint64_t address) {
  return failure
      .latest([address](const trace::Event& call) {
        if (!one_of(call.function, {Function::cuModuleGetGlobal, Function::cuLibraryGetGlobal,
                                    Function::cuLibraryGetManaged}))
          return false;
        const trace::Argument *const start = call.argument("dptr"), *const bytes = call.argument("bytes");
        if (start == nullptr || !start->out || *start->out > address) return false;
        return bytes == nullptr || !bytes->out || address - *start->out < *bytes->out;
      })
      .has_value();
}

Explained wrong_memory(const Failure& failure) {
  const std::uint64_t address = failure.passed("devPtr").value_or(0);
  const Allocation* const holder = failure.before.allocation_at(address);
  if (holder == nullptr) {
    if (Explained found = gone(failure, address)) return found;
    if (in_a_variable(failure, address)) return std::nullopt;
    return Explanation{{Text::ExplainNoDeviceMemory, {"devPtr", fmt::format("{:#x}", address)}}, {}};
  }
  if (holder->kind == MemoryKind::Managed)
    return beyond_end(failure, "devPtr", *holder, address, failure.passed("count").value_or(0));
  // Memory of other kinds may come from a pool of managed memory.
  if (holder->kind != MemoryKind::Device && holder->kind != MemoryKind::Host) return std::nullopt;
  const auto made = static_cast<std::size_t>(holder->created_at);
  return Explanation{
      {Text::ExplainNotManaged,
       {std::string(failure.event.name), std::to_string(holder->number), failure.call_word(made),
        failure.place_word(made), std::string(failure.store.at(made).name)}},
      made};
}

// Not every advice is about a place.
bool place_matters(const Failure& failure) {
  const auto advice = failure.passed("advice");
  return !advice || *advice == kPreferredLocation || *advice == kAccessedBy || *advice == kNotAccessedBy;
}

bool has_concurrent_access(const Failure& failure, std::int32_t device) {
  return failure
      .latest([device](const trace::Event& call) {
        if (call.function != Function::cuDeviceGetAttribute) return false;
        const trace::Argument* const value = call.argument("pi");
        return call.passed("attrib") == kConcurrentManagedAccess &&
               static_cast<std::int32_t>(call.passed("dev")) == device && value != nullptr && value->out == 1;
      })
      .has_value();
}

// Without _v2 a device's number is passed, and -1 is the host. With it, a struct with a type and a number.
Explained wrong_place(const Failure& failure) {
  const trace::Argument* const location = failure.argument("location");
  std::optional<std::int32_t> device;
  if (location != nullptr) {
    if (location->field("type") == "CU_MEM_LOCATION_TYPE_DEVICE")
      device = device_number_in(location->field("id"));
    if (device == kHostNumber) return Explanation{{Text::ExplainHostIsNoDevice, {}}, {}};
  } else {
    const auto passed = failure.passed(failure.is(Function::cuMemAdvise) ? "device" : "dstDevice");
    if (passed && static_cast<std::int32_t>(*passed) != kHostNumber)
      device = static_cast<std::int32_t>(*passed);
  }
  if (!device) return std::nullopt;
  const std::string number = std::to_string(*device);
  const bool may_lack_access =
      failure.event.result == kNoSuchDevice && !has_concurrent_access(failure, *device);
  const auto counted =
      failure.latest([](const trace::Event& call) { return call.function == Function::cuDeviceGetCount; });
  if (!counted) {
    if (!may_lack_access) return std::nullopt;
    return Explanation{{Text::ExplainDeviceOrConcurrentAccess, {number}}, {}};
  }
  const trace::Event counting = failure.store.at(*counted);
  const trace::Argument* const count = counting.argument("count");
  const std::uint64_t devices = count == nullptr ? 0 : count->out.value_or(0);
  if (*device < 0 || static_cast<std::uint64_t>(*device) >= devices)
    return Explanation{{Text::ExplainDeviceBeyond, {number, std::to_string(devices)}}, counted};
  if (!may_lack_access) return std::nullopt;
  return Explanation{{Text::ExplainNoConcurrentAccess, {number}}, {}};
}

}  // namespace

bool advises_or_prefetches(Function function) {
  return one_of(function, {Function::cuMemAdvise, Function::cuMemPrefetchAsync});
}

Explained explain_managed(const Failure& failure) {
  if (!advises_or_prefetches(failure.event.function)) return std::nullopt;
  switch (failure.event.result) {
    case kRefused:
      // Only advice returns 1 for a device that is not there.
      if (failure.is(Function::cuMemAdvise) && place_matters(failure))
        if (Explained found = wrong_place(failure)) return found;
      return wrong_memory(failure);
    case kNoSuchDevice:
      return place_matters(failure) ? wrong_place(failure) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace lab
