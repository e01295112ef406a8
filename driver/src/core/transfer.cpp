// SPDX-License-Identifier: MIT
// See transfer.hpp: bounds are checked, the work is done, and who waits is decided (truth who_waits).
#include "core/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/call.hpp"
#include "core/log.hpp"
#include "core/runner.hpp"

namespace driver {
namespace {

// Up to this size the calling thread does the work, and pageable memory is staged instead of waited for
// (truth who_waits, steps 21 and 22: 64 bytes are, 8 MiB are not).
constexpr std::uint64_t kInstantBytes = 64 << 10;

Weight weight_of(const Extent& extent) {
  return extent.bytes() <= kInstantBytes ? Weight::Instant : Weight::Heavy;
}

// Bytes from the first to the end of the last; 0 if that is more than an address can express.
std::uint64_t span(const Place& place, const Extent& extent) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t result = extent.width;
  const auto add = [&result](std::uint64_t count, std::uint64_t distance) {
    if (count == 0 || distance == 0) return true;
    if (distance > (kMost - result) / count) return false;
    result += count * distance;
    return true;
  };
  return add(extent.height - 1, place.pitch) && add(extent.depth - 1, place.slice) ? result : 0;
}

// A pool has given the memory back since the operation was made.
bool is_lost(const Place& place, const Extent& extent) {
  return Driver::get().memory().is_given_back(place.address, span(place, extent));
}

template <typename Row>
void for_each_row(const Extent& extent, Row row) {
  for (std::uint64_t z = 0; z < extent.depth; ++z) {
    for (std::uint64_t y = 0; y < extent.height; ++y) row(y, z);
  }
}

// Whether the call returns only when the work is done.
bool waits(const Place& to, const Place& from, const Extent& extent, Form form) {
  if (to.sync_memops || from.sync_memops) return true;
  const bool on_device = to.residence == Residence::Device && from.residence == Residence::Device;
  if (form == Form::Synchronous) return !on_device;
  if (to.residence == Residence::Pageable) return true;
  if (from.residence != Residence::Pageable) {
    // From host to host everything waits, says the manual.
    return to.residence != Residence::Device && from.residence != Residence::Device;
  }
  return to.residence != Residence::Device || extent.bytes() > kInstantBytes;
}

// Work that the calling thread does when its turn comes.
CUresult do_here(Reading& call, Queue& queue, Operation& operation) {
  const Queue::Turn turn =
      queue.take_turn(operation.weight() == Weight::Instant, [&operation] { operation.start(); });
  const std::shared_ptr<Runner> runner = call.context->runner;
  call.unlock();
  CUresult error = Driver::get().sticky_error;
  if (turn.turn != nullptr) {
    wait_for(turn.before);
    error = Driver::get().sticky_error;
    if (error == CUDA_SUCCESS) error = operation.start().error;
    turn.turn->finish_with(error);
    turn.turn->wait();  // finds out about the error
  }
  // What kernels printed appears at every call that waits.
  runner->flush_output();
  return error;
}

// Of rows, with the reasons of the real driver (truth logs_memory, steps 29 to 39).
CUresult cannot_be_copied(const Place& to, const Place& from, const Extent& extent) {
  if (extent.height != 1 || extent.depth != 1) return CUDA_ERROR_INVALID_VALUE;
  if (to.address == 0 || from.address == 0) return refuse(CUDA_ERROR_INVALID_VALUE, "Null address specified");
  const auto is_missing = [](const Place& place) {
    return place.side == Side::Device && Driver::get().memory().find_even_dormant(place.address) == nullptr;
  };
  return is_missing(to) || is_missing(from) ? refuse(CUDA_ERROR_INVALID_VALUE, "Allocation not found")
                                            : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

bool resolve(Place& place, const Extent& extent, Use use, Dormant dormant) {
  if (place.side == Side::Array) return true;
  const std::uint64_t bytes = span(place, extent);
  if (bytes == 0) return false;
  Memory& memory = Driver::get().memory();
  const Allocation* const allocation =
      dormant == Dormant::Taken ? memory.find_even_dormant(place.address) : memory.find(place.address);
  if (allocation == nullptr) {
    if (place.side == Side::Device || place.address == 0 || memory.reserves(place.address)) return false;
    place.bytes = reinterpret_cast<std::byte*>(place.address);
    place.residence = Residence::Pageable;
    return true;
  }
  if (allocation->kind == MemoryKind::Virtual) {
    // Mappings that touch each other are one memory.
    if (!memory.virtual_holds(*allocation, place.address, bytes, use == Use::Write)) return false;
  } else if (!allocation->holds(place.address, bytes)) {
    // Registered memory ends where the registration does, but the host's own memory goes on.
    if (allocation->kind != MemoryKind::RegisteredHost || place.side == Side::Device) return false;
    place.bytes = reinterpret_cast<std::byte*>(place.address);
    place.residence = Residence::Pageable;
    return true;
  }
  if (place.user != nullptr && allocation->kept_by_pool() && !allocation->reachable_from(*place.user))
    return false;
  // Registered to be read only.
  if (allocation->kind == MemoryKind::RegisteredHost && !allocation->permits(use == Use::Write)) return false;
  place.bytes = allocation->bytes_at(place.address);
  const bool device = allocation->kind == MemoryKind::Device || allocation->kind == MemoryKind::Virtual;
  place.residence = device ? Residence::Device : Residence::Pinned;
  place.sync_memops = allocation->sync_memops;
  return true;
}

// Measured: truth edge_copy_between_1 to edge_copy_within_8192, edge_copy_rows and edge_copy_peer are 700;
// edge_copy_to_host_1 to edge_copy_from_host_8192 and edge_copy_rows_to_host are 719.
Started CopyOperation::start() {
  if (is_lost(to_, extent_) || is_lost(from_, extent_)) {
    const bool inside = to_.residence == Residence::Device && from_.residence == Residence::Device;
    return {inside ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_LAUNCH_FAILED, nullptr, 0};
  }
  const std::byte* const source = staged_.empty() ? from_.bytes : staged_.data();
  const std::uint64_t pitch = staged_.empty() ? from_.pitch : extent_.width;
  const std::uint64_t slice = staged_.empty() ? from_.slice : extent_.width * extent_.height;
  for_each_row(extent_, [&](std::uint64_t y, std::uint64_t z) {
    std::memmove(to_.bytes + z * to_.slice + y * to_.pitch, source + z * slice + y * pitch, extent_.width);
  });
  return {};
}

Weight CopyOperation::weight() const {
  return weight_of(extent_);
}

void CopyOperation::stage() {
  staged_.resize(extent_.bytes());
  std::byte* next = staged_.data();
  for_each_row(extent_, [&](std::uint64_t y, std::uint64_t z) {
    std::memcpy(next, from_.bytes + z * from_.slice + y * from_.pitch, extent_.width);
    next += extent_.width;
  });
}

// Measured: truth edge_fill_bytes_1 to edge_fill_bytes_4097, fill_4, edge_fill_8 and edge_fill_rows.
Started FillOperation::start() {
  if (is_lost(to_, extent_)) {
    constexpr std::uint64_t kMostOfShort = 4096;
    const bool is_short = extent_.height == 1 && extent_.depth == 1 && extent_.width <= kMostOfShort;
    return {is_short ? CUDA_ERROR_LAUNCH_FAILED : CUDA_ERROR_ILLEGAL_ADDRESS, nullptr, 0};
  }
  for_each_row(extent_, [&](std::uint64_t y, std::uint64_t z) {
    std::byte* const row = to_.bytes + z * to_.slice + y * to_.pitch;
    if (value_size_ == 1) {
      std::memset(row, static_cast<int>(value_), extent_.width);
    } else if (value_size_ == 2) {
      std::fill_n(reinterpret_cast<std::uint16_t*>(row), extent_.width / 2,
                  static_cast<std::uint16_t>(value_));
    } else {
      std::fill_n(reinterpret_cast<std::uint32_t*>(row), extent_.width / 4, value_);
    }
  });
  return {};
}

Weight FillOperation::weight() const {
  return weight_of(extent_);
}

CUresult copy(Place to, Place from, Extent extent, CUstream stream, Form form) {
  Reading call;
  if (call.error) return call.error;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return CUDA_SUCCESS;
  for (Place* place : {&to, &from})
    if (place->user == nullptr) place->user = call.context;
  const Dormant dormant = queue->capture != nullptr ? Dormant::Taken : Dormant::Refused;
  if (!resolve(to, extent, Use::Write, dormant) || !resolve(from, extent, Use::Read, dormant))
    return cannot_be_copied(to, from, extent);
  if (queue->capture != nullptr) {
    if (form == Form::Synchronous) return queue->capture->forbid();
    return queue->enqueue(std::make_shared<CopyOperation>(to, from, extent));
  }
  if (waits(to, from, extent, form)) {
    CopyOperation operation(to, from, extent);
    return do_here(call, *queue, operation);
  }
  auto operation = std::make_shared<CopyOperation>(to, from, extent);
  if (from.residence == Residence::Pageable) operation->stage();
  return queue->enqueue(std::move(operation));
}

CUresult fill(Place to, Extent extent, std::uint32_t value, unsigned value_size, CUstream stream, Form form) {
  Reading call;
  if (call.error) return call.error;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  if (extent.width == 0 || extent.height == 0) return CUDA_SUCCESS;
  if (to.address % value_size != 0) {
    const std::string bytes = std::to_string(value_size);
    return refuse(CUDA_ERROR_INVALID_VALUE,
                  "Device pointer must be " + bytes + "-byte aligned to match elementSize");
  }
  if (extent.width % value_size != 0) return CUDA_ERROR_INVALID_VALUE;
  if (extent.height > 1 && (to.pitch % value_size != 0 || to.pitch < extent.width)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const Dormant dormant = queue->capture != nullptr ? Dormant::Taken : Dormant::Refused;
  if (!resolve(to, extent, Use::Write, dormant)) {
    if (Driver::get().memory().find_even_dormant(to.address) != nullptr) return CUDA_ERROR_INVALID_VALUE;
    return refuse(CUDA_ERROR_INVALID_VALUE,
                  "invalid memset range - no allocation found and cudaDevAttrPageableMemoryAccess is false");
  }
  // Measured: copies cross from device to device, but another device's memory is not filled.
  const Allocation* const filled = Driver::get().memory().find(to.address);
  if (filled != nullptr && !filled->reachable_from(*call.context)) return CUDA_ERROR_INVALID_VALUE;
  if (queue->capture != nullptr && form == Form::Synchronous) return queue->capture->forbid();
  // The manual: asynchronous, "except when the target memory is pinned host memory".
  if (queue->capture == nullptr &&
      (to.sync_memops || (form == Form::Synchronous && to.residence == Residence::Pinned))) {
    FillOperation operation(to, extent, value, value_size);
    return do_here(call, *queue, operation);
  }
  return queue->enqueue(std::make_shared<FillOperation>(to, extent, value, value_size));
}

}  // namespace driver
