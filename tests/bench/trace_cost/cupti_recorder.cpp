// SPDX-License-Identifier: MIT
// The measure for the tracer's cost: a CUPTI subscriber that keeps, of each driver call, the record that the
// tracer keeps. On enter: function, time, thread's caller unknown to CUPTI, arguments; on leave: result,
// time.
//
// Compiled by trace_cost.py where CUPTI is, loaded into the measured program before its first call. Records
// go into a ring of one thread in its own memory that nobody reads, which is less than the tracer has to do.
#include <cupti.h>

#include <x86intrin.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

struct Record {
  std::uint64_t head, ticks, value, arguments[5];
};
static_assert(sizeof(Record) == 64);
constexpr std::size_t kRecords = 16384;
thread_local Record ring[kRecords];
thread_local std::size_t place;

void CUPTIAPI keep(void*, CUpti_CallbackDomain, CUpti_CallbackId id, const void* data) {
  const auto* call = static_cast<const CUpti_CallbackData*>(data);
  Record& record = ring[place++ % kRecords];
  const bool enters = call->callbackSite == CUPTI_API_ENTER;
  record.head = (static_cast<std::uint64_t>(id) << 1) | (enters ? 1u : 0u);
  record.ticks = __rdtsc();
  if (enters) {
    record.value = reinterpret_cast<std::uintptr_t>(call->context);
    if (call->functionParams != nullptr) std::memcpy(record.arguments, call->functionParams, 16);
  } else {
    record.value = static_cast<std::uint64_t>(*static_cast<const int*>(call->functionReturnValue));
  }
}

__attribute__((constructor)) void subscribe() {
  CUpti_SubscriberHandle subscriber;
  const CUptiResult subscribed = cuptiSubscribe(&subscriber, keep, nullptr);
  const CUptiResult enabled = cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  if (subscribed != CUPTI_SUCCESS || enabled != CUPTI_SUCCESS)
    std::fprintf(stderr, "CUPTI: %d %d\n", static_cast<int>(subscribed), static_cast<int>(enabled));
}

}  // namespace
