// SPDX-License-Identifier: MIT
// See conditional.hpp.
#include "core/conditional.hpp"

#include <algorithm>
#include <map>

#include "core/driver.hpp"
#include "core/graph.hpp"
#include "core/pool.hpp"

namespace driver {
namespace {

std::map<CUgraphConditionalHandle, std::weak_ptr<ConditionalValue>>& values() {
  static auto* const all = new std::map<CUgraphConditionalHandle, std::weak_ptr<ConditionalValue>>;
  return *all;
}

}  // namespace

CUresult ConditionalValue::create(Context& owner, unsigned initial, unsigned flags,
                                  std::shared_ptr<ConditionalValue>& value) {
  std::shared_ptr<ConditionalValue> made(new ConditionalValue(owner, initial, flags));
  Memory& memory = Driver::get().memory();
  CUdeviceptr address = 0;
  if (const CUresult error = memory.allocate_device(owner, sizeof(std::uint32_t), address)) return error;
  made->address_ = address;
  made->buffer_id_ = memory.find(address)->buffer_id;
  *made->word() = 0;  // measured: without the flag, whatever was given
  values()[address] = made;
  value = std::move(made);
  return CUDA_SUCCESS;
}

std::shared_ptr<ConditionalValue> ConditionalValue::find(CUgraphConditionalHandle handle) {
  const auto found = values().find(handle);
  return found != values().end() ? found->second.lock() : nullptr;
}

std::uint32_t* ConditionalValue::word() const {
  const Allocation* const allocation = address_ != 0 ? Driver::get().memory().find(address_) : nullptr;
  if (allocation == nullptr || allocation->buffer_id != buffer_id_) return nullptr;
  return reinterpret_cast<std::uint32_t*>(allocation->bytes_at(address_));
}

// What is done until now may still use it.
ConditionalValue::~ConditionalValue() {
  if (word() == nullptr) return;
  values().erase(address_);
  try {
    CompletionPointer moment = all_of(context.streams().unfinished());
    Pool& pool = Pools::get().default_of(context.device());
    pool.take_back(Driver::get().memory().detach(address_), std::move(moment));
  } catch (const std::bad_alloc&) {
    return;  // when it may be given back cannot be noted; it goes with its context
  }
}

Conditional::Conditional(std::shared_ptr<ConditionalValue> chosen_by, CUgraphConditionalNodeType kind,
                         std::vector<std::shared_ptr<Graph>> graphs)
    : value(std::move(chosen_by)), type(kind), bodies(std::move(graphs)) {
  handles.reserve(bodies.size());
  for (const auto& body : bodies) handles.push_back(body->handle());
}

std::shared_ptr<Conditional> Conditional::clone() const {
  std::vector<std::shared_ptr<Graph>> copies;
  copies.reserve(bodies.size());
  for (const auto& body : bodies) copies.push_back(body->clone());
  return std::make_shared<Conditional>(value, type, std::move(copies));
}

std::size_t Conditional::chosen(std::uint32_t now) const {
  if (type == CU_GRAPH_COND_TYPE_SWITCH) return std::min<std::size_t>(now, bodies.size());
  return now != 0 ? 0 : type == CU_GRAPH_COND_TYPE_IF ? 1 : bodies.size();
}

}  // namespace driver
