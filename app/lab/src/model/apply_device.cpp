// SPDX-License-Identifier: MIT
// Handlers of cuInit and of the calls by which a program learns about its devices: which there are, their
// names and memory, and which one a context belongs to.
#include "model/apply.hpp"

namespace lab {
namespace {

void initialise(Step& step) {
  if (step.state.initialised) return;
  step.state.initialised = true;
  step.lasting = true;
  step.note(Change::Kind::Initialised);
}

void count_devices(Step& step) {
  if (const auto count = step.written("count"); count && *count > 0) step.device(*count - 1);
}

void get_device(Step& step) {
  if (const auto ordinal = step.written("device")) step.device(*ordinal);
}

void name_device(Step& step) {
  const trace::Argument* name = step.argument("name");
  Device* device = step.device(step.passed("dev"));
  if (!name || !device || device->name == name->text) return;
  // If the buffer is too short, the driver writes only the beginning; the device keeps the name it has.
  if (device->name.starts_with(name->text)) return;
  device->name = name->text;
  step.lasting = true;
}

void total_memory(Step& step) {
  const auto bytes = step.written("bytes");
  Device* device = step.device(step.passed("dev"));
  if (!bytes || !device || device->total_bytes == *bytes) return;
  device->total_bytes = *bytes;
  step.lasting = true;
}

// The only way to learn the device of a context whose creation was not recorded. In CUDA 13 the call can also
// ask about a context that is not current.
void device_of_context(Step& step) {
  const auto ordinal = step.written("device");
  const std::uint64_t asked = step.passed("ctx");
  const std::uint32_t index = asked == 0 ? step.top() : step.state.context_of(asked);
  if (!ordinal || index == kNone || !step.device(*ordinal)) return;
  const Context& context = step.state.contexts[index];
  if (context.device == *ordinal || context.primary) return;
  step.change_context(index).device = static_cast<std::uint32_t>(*ordinal);
  step.lasting = true;
}

}  // namespace

std::vector<Rule> device_rules() {
  return {
      {Function::cuInit, initialise},
      {Function::cuDeviceGetCount, count_devices},
      {Function::cuDeviceGet, get_device},
      {Function::cuDeviceGetName, name_device},
      {Function::cuDeviceTotalMem, total_memory},
      {Function::cuCtxGetDevice, device_of_context},
  };
}

}  // namespace lab
