// SPDX-License-Identifier: MIT
// Failures about code and what runs it: names that do not exist, images that cannot be loaded, and functions,
// streams and events that are used in another context than their own or after their end. The shape of a
// launch is in explain_shape.cpp. Measured on an H200: scenarios module, launch, library, streams_events,
// two_module_wrong_context.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "model/explain.hpp"

namespace lab {

std::optional<std::size_t> maker_of(const Failure& failure, std::uint64_t handle) {
  return failure.latest([handle](const trace::Event& event) {
    return std::any_of(event.arguments.begin(), event.arguments.end(),
                       [handle](const trace::Argument& argument) {
                         return argument.kind == trace::ValueKind::Handle && argument.out == handle;
                       });
  });
}

std::string thing_word(const Failure& failure, std::uint64_t handle) {
  for (const ObjectKind kind :
       {ObjectKind::Function, ObjectKind::Kernel, ObjectKind::Stream, ObjectKind::Event})
    if (const Object* object = failure.before.object_of(kind, handle)) return object_name(*object);
  return fmt::format("{:#x}", handle);
}

namespace {

constexpr std::int32_t kInvalidImage = 200, kNoBinary = 209, kInvalidPtx = 218, kPtxVersion = 222,
                       kFileNotFound = 301, kInvalidHandle = 400, kNotFound = 500;

std::optional<std::size_t> ended_by(const Failure& failure, std::uint64_t handle,
                                    std::initializer_list<Function> enders) {
  return failure.latest([handle, enders](const trace::Event& event) {
    return one_of(event.function, enders) && !event.arguments.empty() && event.arguments[0].word == handle;
  });
}

// The context in which a call was made; kNone if none was current, or if it is not known any more.
std::uint32_t context_at(const Failure& failure, std::size_t call) {
  return failure.model.aside(call).current_of(failure.store.thread_at(call));
}

// A function, stream or event is used where its context is not current.
Explained misplaced(const Failure& failure, Text sentence, std::uint64_t handle, std::size_t made,
                    std::size_t owner_call) {
  const std::uint32_t current = failure.current();
  if (current == kNone) return std::nullopt;
  const std::string current_name = failure.before.contexts[current].name;
  const std::uint32_t owner = context_at(failure, owner_call);
  if (owner == kNone || owner == current) return std::nullopt;
  const State& state = failure.model.aside(failure.index);
  return Explanation{{sentence,
                      {thing_word(failure, handle), state.contexts[owner].name, current_name,
                       failure.call_word(made), failure.place_word(made)}},
                     made};
}

Explained wrong_function(const Failure& failure, std::uint64_t handle) {
  if (handle == 0) return Explanation{{Text::ExplainNoFunction, {std::string(failure.event.name)}}, {}};
  const auto made = maker_of(failure, handle);
  if (!made) return std::nullopt;
  const trace::Event got = failure.store.at(*made);
  if (got.function != Function::cuModuleGetFunction || got.arguments.size() < 2)
    return misplaced(failure, Text::ExplainOtherContext, handle, *made, *made);
  const std::uint64_t module_handle = got.arguments[1].word;
  const auto unloaded = ended_by(failure, module_handle, {Function::cuModuleUnload});
  if (unloaded && *unloaded > *made)
    return Explanation{
        {Text::ExplainModuleUnloaded, {failure.call_word(*unloaded), failure.place_word(*unloaded)}},
        unloaded};
  const auto loaded = maker_of(failure, module_handle);
  return misplaced(failure, Text::ExplainOtherContext, handle, *made, loaded.value_or(*made));
}

// An event and the stream in which it is recorded belong to two contexts: no push helps.
Explained event_of_another_context(const Failure& failure) {
  const auto event = failure.passed("hEvent"), stream = failure.passed("hStream");
  const bool records = failure.is(Function::cuEventRecord) || failure.is(Function::cuEventRecordWithFlags);
  if (!records || !event || !stream || *stream <= 2) return std::nullopt;
  const auto event_made = maker_of(failure, *event), stream_made = maker_of(failure, *stream);
  if (!event_made || !stream_made) return std::nullopt;
  const std::uint32_t of_event = context_at(failure, *event_made),
                      of_stream = context_at(failure, *stream_made);
  if (of_event == kNone || of_stream == kNone || of_event == of_stream) return std::nullopt;
  const State& state = failure.model.aside(failure.index);
  return Explanation{
      {Text::ExplainEventOfOtherContext,
       {thing_word(failure, *event), state.contexts[of_event].name, thing_word(failure, *stream),
        state.contexts[of_stream].name, failure.call_word(*event_made), failure.place_word(*event_made)}},
      event_made};
}

bool stream_or_event_passed(const trace::Argument& argument) {
  return (argument.handle_type == "CUstream" || argument.handle_type == "CUevent") &&
         argument.role == trace::Role::In && argument.word > 2;
}

Explained destroyed_stream_or_event(const Failure& failure) {
  for (const trace::Argument& argument : failure.event.arguments) {
    if (!stream_or_event_passed(argument)) continue;
    const auto made = maker_of(failure, argument.word),
               ended =
                   ended_by(failure, argument.word, {Function::cuStreamDestroy, Function::cuEventDestroy});
    if (made && ended && *ended > *made)
      return Explanation{
          {Text::ExplainDestroyedObject,
           {std::string(argument.name), failure.call_word(*ended), failure.place_word(*ended)}},
          ended};
  }
  return std::nullopt;
}

// What was destroyed is of no context any more, so that comes before the question to which it belongs.
Explained wrong_handle_launched(const Failure& failure) {
  if (launches_kernel(failure.event.function)) {
    if (const auto function = failure.passed("f")) {
      if (Explained found = wrong_function(failure, *function)) return found;
    }
  }
  if (Explained found = destroyed_stream_or_event(failure)) return found;
  if (Explained found = event_of_another_context(failure)) return found;
  for (const trace::Argument& argument : failure.event.arguments) {
    if (!stream_or_event_passed(argument)) continue;
    const auto made = maker_of(failure, argument.word);
    if (!made) continue;
    if (failure.is(Function::cuEventElapsedTime)) {
      const std::uint64_t handle = argument.word;
      const auto recorded = failure.latest([handle](const trace::Event& candidate) {
        return candidate.function == Function::cuEventRecord && !candidate.arguments.empty() &&
               candidate.arguments[0].word == handle;
      });
      if (!recorded)
        return Explanation{
            {Text::ExplainNotRecorded,
             {std::string(argument.name), failure.call_word(*made), failure.place_word(*made)}},
            made};
      continue;
    }
    if (Explained found = misplaced(failure, Text::ExplainStreamOfOtherContext, argument.word, *made, *made))
      return found;
  }
  return std::nullopt;
}

Explained wrong_name(const Failure& failure) {
  const trace::Argument* name = failure.argument("name");
  if (name == nullptr || name->text.empty()) return std::nullopt;
  if (failure.is(Function::cuModuleGetFunction) || failure.is(Function::cuLibraryGetKernel))
    return Explanation{{Text::ExplainNoSuchKernel, {name->text}}, {}};
  if (failure.is(Function::cuLibraryGetManaged))
    return Explanation{{Text::ExplainNoSuchManaged, {name->text}}, {}};
  if (failure.is(Function::cuModuleGetGlobal) || failure.is(Function::cuLibraryGetGlobal))
    return Explanation{{Text::ExplainNoSuchGlobal, {name->text}}, {}};
  return std::nullopt;
}

Explained wrong_image(const Failure& failure) {
  switch (failure.event.result) {
    case kInvalidImage:
      return Explanation{{Text::ExplainNotAnImage, {}}, {}};
    case kNoBinary:
      return Explanation{{Text::ExplainNoCodeForDevice, {}}, {}};
    case kInvalidPtx:
      return Explanation{{Text::ExplainBadPtx, {}}, {}};
    case kPtxVersion:
      return Explanation{{Text::ExplainPtxTooNew, {}}, {}};
    default:
      return std::nullopt;
  }
}

Explained missing_file(const Failure& failure) {
  for (const std::string_view argument : {"fname", "path", "fileName"})
    if (const trace::Argument* found = failure.argument(argument); found && !found->text.empty())
      return Explanation{{Text::ExplainNoSuchFile, {found->text}}, {}};
  return std::nullopt;
}

}  // namespace

Explained explain_launch(const Failure& failure) {
  switch (failure.event.result) {
    case kInvalidHandle:
      return wrong_handle_launched(failure);
    case kNotFound:
      return wrong_name(failure);
    case kFileNotFound:
      return missing_file(failure);
    default:
      return wrong_image(failure);
  }
}

}  // namespace lab
