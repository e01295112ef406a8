// SPDX-License-Identifier: MIT
// Failures about parts of a device and settings of the driver: how multiprocessors are divided, green
// contexts and their streams, and core dumps. Measured on an H200: scenarios green_split, green_create,
// green_detached, and lessons 30 and 31.
#include <string>

#include "model/explain.hpp"

namespace lab {
namespace {

constexpr std::int32_t kWrongValue = 1, kUsesDestroyed = 709, kNotConfigurable = 915;
constexpr std::uint64_t kNeededFlag = 1;  // CU_GREEN_CTX_DEFAULT_STREAM, CU_STREAM_NON_BLOCKING

Explained wrong_split(const Failure& failure) {
  const trace::Argument* const input = failure.argument("input");
  if (input == nullptr) return std::nullopt;
  const auto has = input->field_number("sm.smCount"), least = failure.passed("minCount");
  if (has && least && *least > *has)
    return Explanation{{Text::ExplainGroupTooLarge, {std::to_string(*least), std::to_string(*has)}}, {}};
  return Explanation{{Text::ExplainNotDivisible, {}}, {}};
}

Explained wrong_configuration(const Failure& failure) {
  if (failure.is(Function::cuDevSmResourceSplitByCount)) return wrong_split(failure);
  if (failure.is(Function::cuDevResourceGenerateDesc))
    return Explanation{{Text::ExplainResourceChanged, {}}, {}};
  return std::nullopt;
}

Explained wrong_setting(const Failure& failure) {
  const bool green = failure.is(Function::cuGreenCtxCreate),
             stream = failure.is(Function::cuGreenCtxStreamCreate);
  if ((green || stream) && (failure.passed("flags").value_or(kNeededFlag) & kNeededFlag) == 0)
    return Explanation{{green ? Text::ExplainGreenFlags : Text::ExplainGreenStreamFlags, {}}, {}};
  if (failure.is(Function::cuCoredumpSetAttributeGlobal) || failure.is(Function::cuCoredumpSetAttribute))
    return Explanation{{Text::ExplainCoredumpSet, {}}, {}};
  return std::nullopt;
}

std::string name_after(const Failure& failure, std::size_t call, ObjectKind kind, std::uint64_t handle) {
  const Object* const object = failure.model.aside(call + 1).object_of(kind, handle);
  return object == nullptr ? thing_word(failure, handle) : object_name(*object);
}

// A stream whose green context was destroyed: it ended with it.
Explained stream_of_no_context(const Failure& failure) {
  const auto stream = failure.passed("hStream");
  if (!stream || *stream <= 2) return std::nullopt;
  const auto made = maker_of(failure, *stream);
  if (!made) return std::nullopt;
  const trace::Event making = failure.store.at(*made);
  const trace::Argument* const green = making.argument("greenCtx");
  if (making.function != Function::cuGreenCtxStreamCreate || green == nullptr) return std::nullopt;
  const std::uint64_t handle = green->word;
  const auto ended = failure.latest([handle](const trace::Event& event) {
    return event.function == Function::cuGreenCtxDestroy && !event.arguments.empty() &&
           event.arguments[0].word == handle;
  });
  if (!ended || *ended < *made) return std::nullopt;
  return Explanation{{Text::ExplainStreamOfDestroyed,
                      {name_after(failure, *made, ObjectKind::Stream, *stream),
                       name_after(failure, *made, ObjectKind::GreenContext, handle),
                       failure.call_word(*ended), failure.place_word(*ended)}},
                     ended};
}

}  // namespace

Explained explain_resource(const Failure& failure) {
  switch (failure.event.result) {
    case kWrongValue:
      return wrong_setting(failure);
    case kUsesDestroyed:
      return stream_of_no_context(failure);
    case kNotConfigurable:
      return wrong_configuration(failure);
    default:
      return std::nullopt;
  }
}

}  // namespace lab
