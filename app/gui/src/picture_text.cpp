// SPDX-License-Identifier: MIT
// See picture_text.hpp. Each change gives one phrase, in the order in which they happened; there is also one
// for a call that changed nothing.
#include "picture_text.hpp"

#include <algorithm>

#include "formatting.hpp"
#include "lab/copy.hpp"
#include "lab/object_names.hpp"
#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::Change;
using lab::Text;
using Kind = lab::Change::Kind;

constexpr std::int32_t kNotReady = 600;  // CUDA_ERROR_NOT_READY and cudaErrorNotReady

struct Speaker {
  const lab::State& state;
  const trace::Event& event;
  lab::Language language;

  std::string say(Text key, const std::vector<std::string>& values = {}) const {
    return lab::text(key, language, values);
  }
  std::string phrase(const Change& change) const;
  std::string about_context(const Change& change) const;
  std::string allocated(const Change& change) const;
  std::string about_object(const Change& change) const;
  std::string moved(const Change& change) const;
  std::string launched(const Change& change) const;
  std::string enqueued() const;
  std::string added() const;
  std::string managed() const;
  std::string copied(const StepAnswers& answers) const;
  std::string finished(const StepAnswers& answers) const;
  std::string nothing(const StepAnswers& answers) const;
  std::uint64_t number(std::string_view argument) const { return event.passed(argument); }
};

std::string Speaker::launched(const Change& change) const {
  const std::string name = state.name_of(change.object);
  if (name.empty()) return say(Text::PictureDidLaunchedUnnamed);
  // A launch by a struct has the same names in it.
  const trace::Argument* const config = event.argument("config");
  const auto extent = [&](const std::string& field) {
    return config != nullptr ? config->field_number(field).value_or(0) : number(field);
  };
  // "4", "4 × 2": without the dimensions at the end that are 1.
  const auto shape = [&](const std::string& dimension) {
    const std::uint64_t x = extent(dimension + 'X'), y = extent(dimension + 'Y'), z = extent(dimension + 'Z');
    std::string words = std::to_string(x);
    if (y > 1 || z > 1) words += " × " + std::to_string(y);
    if (z > 1) words += " × " + std::to_string(z);
    return words;
  };
  if (extent("gridDimX") == 0) return say(Text::PictureDidLaunched, {name});
  return say(Text::PictureDidLaunchedBlocks, {name, shape("gridDim"), shape("blockDim")});
}

std::string Speaker::moved(const Change& change) const {
  for (const lab::Allocation& a : state.allocations) {
    if (a.number != change.allocation || a.place == lab::kNone) continue;
    const std::string place = a.place == lab::kHost
                                  ? say(Text::PicturePlaceHost)
                                  : say(Text::PicturePlaceDevice, {std::to_string(a.place)});
    return say(Text::PictureDidMoved, {std::to_string(a.number), place});
  }
  return {};
}

std::string Speaker::about_object(const Change& change) const {
  const lab::Object* object = state.object(change.object);
  const std::string kind = say(lab::object_word(change.object.kind));
  if (change.kind == Kind::ObjectEnded) {
    const std::string name = lab::object_name(change.object);
    return name.empty() ? std::string() : say(Text::PictureDidEnded, {kind, name});
  }
  if (object == nullptr) return {};
  const std::string name = lab::object_name(*object);
  if (change.kind == Kind::ObjectChanged && object->references == 0)
    return say(Text::PictureDidLastHandle, {name});
  if (change.kind == Kind::ObjectChanged) return say(Text::PictureDidObjectChanged, {name});
  if (object->context >= state.contexts.size()) return say(Text::PictureDidMadeProcess, {kind, name});
  return say(Text::PictureDidMade, {kind, name, state.contexts[object->context].name});
}

// What the call put into a stream, or into a graph that is being captured.
std::string Speaker::enqueued() const {
  for (const auto& [key, stream] : state.work.streams) {
    if (stream.items.empty() || stream.items.back().event != event.seq) continue;
    const lab::WorkItem& item = stream.items.back();
    const std::uint64_t bytes = item.kind == lab::WorkKind::Wait ? 0 : item.amount;
    return say(Text::PictureDidEnqueued, {stream_words(state, language, key),
                                          work_words(state, language, item.kind, item.object, bytes)});
  }
  for (const auto& [number, capture] : state.graphs.captures) {
    if (number == event.seq)
      return say(Text::PictureDidCapture, {stream_words(state, language, capture.origin)});
    if (capture.shape.nodes.empty() || capture.shape.nodes.back().event != event.seq) continue;
    const lab::GraphNode& node = capture.shape.nodes.back();
    return say(Text::PictureDidCaptured, {work_words(state, language, node.kind, node.object, node.bytes)});
  }
  return {};
}

// A node that was added to a graph.
std::string Speaker::added() const {
  for (const auto& [number, shape] : state.graphs.shapes) {
    if (shape.nodes.empty() || shape.nodes.back().event != event.seq) continue;
    if (event.function == trace::Function::cuStreamEndCapture) continue;
    const lab::GraphNode& node = shape.nodes.back();
    return say(Text::PictureDidNode, {lab::object_name(lab::ObjectId{lab::ObjectKind::Graph, number}),
                                      work_words(state, language, node.kind, node.object, node.bytes)});
  }
  return {};
}

// What the program said about managed memory; it is not drawn.
std::string Speaker::managed() const {
  const bool advises = event.function == trace::Function::cuMemAdvise;
  if (!advises && event.function != trace::Function::cuStreamAttachMemAsync) return {};
  const trace::Argument* said = event.argument(advises ? "advice" : "flags");
  const lab::Allocation* memory = state.allocation_at(number(advises ? "devPtr" : "dptr"));
  if (!event.returned || event.result != 0 || said == nullptr || said->text.empty() || memory == nullptr)
    return {};
  return say(advises ? Text::PictureDidAdvised : Text::PictureDidAttached,
             {std::to_string(memory->number), said->text});
}

std::string Speaker::copied(const StepAnswers& answers) const {
  const auto copy = lab::copy_of(event);
  if (!copy || answers.copied_from.empty() || answers.copied_to.empty()) return {};
  return say(Text::PictureDidCopied,
             {size_words(copy->bytes, language), answers.copied_from, answers.copied_to});
}

std::string Speaker::finished(const StepAnswers& answers) const {
  const std::uint64_t now = waiting_work(state);
  return answers.waiting_before > now
             ? say(Text::PictureDidFinished, {std::to_string(answers.waiting_before - now)})
             : std::string();
}

// A call that changed nothing that is drawn: it asked, it waited, or it did something else.
std::string Speaker::nothing(const StepAnswers& answers) const {
  if (answers.devices_before && *answers.devices_before < state.devices.size()) {
    const std::size_t fresh = state.devices.size() - *answers.devices_before;
    return fresh == 1 ? say(Text::PictureDidOneDevice, {answers.written})
                      : say(Text::PictureDidDevices, {answers.written, std::to_string(fresh)});
  }
  switch (trace::purpose_of(event.function)) {
    case trace::Purpose::Waits:
      return say(Text::PictureDidWaited);
    case trace::Purpose::Launches:
      return say(Text::PictureDidLaunchedUnnamed);
    case trace::Purpose::Asks:
      if (event.result == kNotReady) return say(Text::PictureDidNotReady);
      return answers.written.empty() ? say(Text::PictureDidNothing)
                                     : say(Text::PictureDidAnswer, {answers.written});
    case trace::Purpose::Other:
      break;
  }
  if (event.layer() == trace::Layer::Runtime) return say(Text::PictureDidInside);
  return say(Text::PictureDidNothingDrawn);
}

std::string Speaker::allocated(const Change& change) const {
  for (const lab::Allocation& a : state.allocations) {
    if (a.number != change.allocation) continue;
    const std::string owner = a.context < state.contexts.size() ? state.contexts[a.context].name
                              : a.from                          ? lab::object_name(a.from)
                                                                : std::string();
    const std::string number = std::to_string(a.number);
    const std::string what = size_words(a.size, language) + " (#" + number + ")";
    if (owner.empty()) return say(Text::PictureDidAllocatedPlain, {what});
    if (a.size == 0) return say(Text::PictureDidImported, {number, owner});
    return say(a.kind == lab::MemoryKind::Mapped ? Text::PictureDidMapped : Text::PictureDidAllocated,
               {what, owner});
  }
  return {};
}

std::string Speaker::about_context(const Change& change) const {
  if (change.context >= state.contexts.size())
    return change.kind == Kind::CurrentReplaced ? say(Text::PictureDidCleared) : std::string();
  const lab::Context& context = state.contexts[change.context];
  const std::string retains = std::to_string(context.retain_count);
  switch (change.kind) {
    case Kind::ContextCreated:
      return say(Text::PictureDidCreated, {context.name});
    case Kind::ContextDestroyed:
      return say(Text::PictureDidDestroyed, {context.name});
    case Kind::Pushed:
      return say(Text::PictureDidPushed, {context.name});
    case Kind::Popped:
      return say(Text::PictureDidPopped, {context.name});
    case Kind::CurrentReplaced:
      return say(Text::PictureDidReplaced, {context.name});
    case Kind::PrimaryRetained:
      return say(Text::PictureDidRetained, {context.name, retains});
    case Kind::PrimaryReleased:
      return say(Text::PictureDidReleased, {context.name, retains});
    case Kind::PrimaryActivated:
      return say(Text::PictureDidActivated, {context.name});
    case Kind::PrimaryDeactivated:
      return say(Text::PictureDidDeactivated, {context.name});
    case Kind::FlagsChanged:
      return say(Text::PictureDidFlags, {context.name});
    case Kind::UseCountChanged:
      return say(Text::PictureDidUseCount, {context.name, std::to_string(context.use_count)});
    default:
      return {};
  }
}

std::string Speaker::phrase(const Change& change) const {
  switch (change.kind) {
    case Kind::None:
      return {};
    case Kind::Initialised:
      return say(Text::PictureDidInitialised);
    case Kind::Allocated:
      return allocated(change);
    case Kind::Freed:
      return say(Text::PictureDidFreed, {std::to_string(change.allocation)});
    case Kind::MemoryWritten:
      return say(Text::PictureDidWritten, {std::to_string(change.allocation)});
    case Kind::Failed: {
      const std::string name(trace::result_name(event));
      return say(Text::PictureDidFailed, {std::string(event.name), std::to_string(event.result), name});
    }
    case Kind::ThreadStarted:
      return say(Text::PictureDidThreadStarted, {std::to_string(change.thread)});
    case Kind::ThreadEnded:
      return say(Text::PictureDidThreadEnded, {std::to_string(change.thread)});
    case Kind::ProcessEnded:
      return say(Text::PictureDidProcessEnded);
    case Kind::ObjectCreated:
    case Kind::ObjectEnded:
    case Kind::ObjectChanged:
      return about_object(change);
    case Kind::MemoryMoved:
      return moved(change);
    case Kind::Launched:
      return launched(change);
    default:
      return about_context(change);
  }
}

// The first line of what the program printed; empty for blank lines alone.
std::string printed_words(std::string_view text, lab::Language language) {
  constexpr std::size_t kMostBytes = 60;
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from);
  const std::string line = shortened(printable(text.substr(0, text.find_first_of("\r\n"))), kMostBytes);
  return lab::text(Text::PictureDidPrint, language, {line});
}

}  // namespace

std::uint64_t waiting_work(const lab::State& state) {
  std::uint64_t all = 0;
  for (const auto& [key, stream] : state.work.streams) all += stream.waiting();
  return all;
}

std::string step_words(const lab::State& state, const trace::Event& event, lab::Language language,
                       const StepAnswers& answers) {
  const Speaker speaker{state, event, language};
  std::string words;
  bool destroyed = false;
  std::size_t said = 0;
  for (const Change& change : state.changes) {
    destroyed = destroyed || change.kind == Kind::ContextDestroyed || change.kind == Kind::PrimaryDeactivated;
  }
  const bool call = event.kind == trace::EventKind::Call;
  const std::string enqueued = call ? speaker.enqueued() : std::string();
  const std::string copied = call && enqueued.empty() ? speaker.copied(answers) : std::string();
  for (const Change& change : state.changes) {
    // A copy or fill that is only put into a stream has written nothing yet; what a copy wrote, it names.
    if (change.kind == Kind::MemoryWritten && !(enqueued.empty() && copied.empty())) continue;
    // What ends with its context is one phrase, not one for each allocation.
    if (destroyed && (change.kind == Kind::Freed || change.kind == Kind::ObjectEnded)) continue;
    const std::string phrase = speaker.phrase(change);
    if (phrase.empty()) continue;
    if (++said > 4) return words + "…";
    if (!words.empty() && language == lab::Language::English) words += ' ';
    words += phrase;
  }
  const std::string finished = call ? speaker.finished(answers) : std::string();
  for (const std::string& more : {copied, call ? speaker.managed() : std::string(), enqueued,
                                  call ? speaker.added() : std::string(), finished}) {
    if (more.empty()) continue;
    if (!words.empty() && language == lab::Language::English) words += ' ';
    words += more;
  }
  if (words.empty() && call) words = speaker.nothing(answers);
  if (words.empty() && event.kind == trace::EventKind::Output) {
    const std::string zeros = std::to_string(event.zeros);
    words = printed_words(event.zeros != 0 ? lab::text(Text::OutputZeros, language, {zeros}) : event.text,
                          language);
  }
  return words;
}

}  // namespace gui::picture
