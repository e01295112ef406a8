// SPDX-License-Identifier: MIT
// How many multiprocessors a device has, and how many of them each green context got, as far as calls say it.
// A green context is made from a description, and the description from resources, whose numbers are recorded.
// Which multiprocessors they are is in no call.
#include <charconv>

#include "model/apply.hpp"

namespace lab {
namespace {

std::optional<std::uint32_t> multiprocessors_in(const trace::Argument* resource) {
  if (resource == nullptr || resource->field("type") != "CU_DEV_RESOURCE_TYPE_SM") return std::nullopt;
  const auto count = resource->field_number("sm.smCount");
  return count && *count > 0 && *count < 0xffffffff ? std::optional(static_cast<std::uint32_t>(*count))
                                                    : std::nullopt;
}

void learn_device(Step& step, std::uint64_t ordinal, std::uint32_t count) {
  Device* device = step.device(ordinal);
  if (device == nullptr || device->multiprocessors == count) return;
  device->multiprocessors = count;
  step.lasting = true;
}

void device_resource(Step& step) {
  if (const auto count = multiprocessors_in(step.argument("resource")))
    learn_device(step, step.passed("device"), *count);
}

void device_attribute(Step& step) {
  const trace::Argument* attribute = step.argument("attrib");
  const auto count = step.written("pi");
  if (attribute != nullptr && attribute->text == "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT" && count &&
      *count > 0 && *count < 0xffffffff)
    learn_device(step, step.passed("dev"), static_cast<std::uint32_t>(*count));
}

// The description has all of the multiprocessors of its resources: "[{type=…, sm={smCount=16, …}}, …]".
void describe(Step& step) {
  const trace::Argument* resources = step.argument("resources");
  const auto handle = step.written("phDesc");
  if (resources == nullptr || !handle || resources->text.ends_with("…]")) return;
  constexpr std::string_view kField = "smCount=";
  std::uint32_t all = 0;
  for (std::size_t at = resources->text.find(kField); at != std::string::npos;
       at = resources->text.find(kField, at + 1)) {
    std::uint32_t count = 0;
    std::from_chars(resources->text.data() + at + kField.size(),
                    resources->text.data() + resources->text.size(), count);
    all += count;
  }
  step.state.described_multiprocessors[*handle] = all;
  step.lasting = true;
}

void learn_green(Step& step, std::uint64_t handle, std::uint32_t count) {
  const auto green = step.ledger.object_of(ObjectKind::GreenContext, handle);
  if (!green || count == 0 || green->multiprocessors == count) return;
  Object now = *green;
  now.multiprocessors = count;
  step.ledger.change(now);
}

void create_green(Step& step) {
  retain_by_green(step, step.written("phCtx").value_or(0), step.passed("dev"));
  const auto described = step.state.described_multiprocessors.find(step.passed("desc"));
  if (described != step.state.described_multiprocessors.end())
    learn_green(step, step.written("phCtx").value_or(0), described->second);
}

void green_resource(Step& step) {
  if (const auto count = multiprocessors_in(step.argument("resource")))
    learn_green(step, step.passed("hCtx"), *count);
}

}  // namespace

std::vector<Rule> resource_rules() {
  return {
      {Function::cuDeviceGetDevResource, device_resource},
      {Function::cuDeviceGetAttribute, device_attribute},
      {Function::cuDevResourceGenerateDesc, describe},
      {Function::cuGreenCtxCreate, create_green},
      {Function::cuGreenCtxGetDevResource, green_resource},
  };
}

}  // namespace lab
