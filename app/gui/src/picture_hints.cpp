// SPDX-License-Identifier: MIT
// The text about a box of the picture when the mouse rests on it: the handle, where the object comes from,
// what it means. Words only; picture_panel.cpp draws them.
#include <cstdio>

#include "formatting.hpp"
#include "lab/object_names.hpp"
#include "picture_drawing.hpp"
#include "picture_layouter.hpp"
#include "picture_objects.hpp"
#include "picture_text.hpp"
#include "picture_work.hpp"

namespace gui::picture {
namespace {

using lab::Text;

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string grouped(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, "\u00A0");
  return text;
}

struct Explainer {
  const Box& box;
  const WorkMark& mark;
  const Frame& frame;
  const ShownRun& run;
  const lab::State& state;

  std::string origin(std::uint64_t event) const {
    const trace::Store& store = run.store;
    if (event >= store.size()) return {};
    std::string words = frame.text(Text::PictureCreatedCall,
                                   {std::to_string(store.calls_before(static_cast<std::size_t>(event)) + 1)});
    const trace::Event made = store.at(static_cast<std::size_t>(event));
    if (made.line > 0) words += ", " + made.file + ":" + std::to_string(made.line);
    return words;
  }
  static void add(std::string& text, std::string_view sentence) {
    if (sentence.empty()) return;
    if (!text.empty()) text += '\n';
    text += sentence;
  }
  Hint about_context(const lab::Context& context) const {
    Hint hint{context.name, {}};
    const std::vector<std::string> device{std::to_string(context.device)};
    add(hint.text, frame.text(context.primary ? Text::PictureHintPrimary : Text::PictureHintContext, device));
    if (context.is_destroyed())
      add(hint.text, frame.text(Text::PictureHintDestroyed));
    else if (context.primary && !context.active)
      add(hint.text, frame.text(Text::PictureHintPrimaryIdle));
    else if (box.floating)
      add(hint.text, frame.text(Text::PictureHintFloating));
    if (context.handle != 0)
      add(hint.text, frame.text(Text::PictureHintHandle, {hexadecimal(context.handle)}));
    if (!context.primary) add(hint.text, origin(context.created_at));
    add_fresh(hint);
    return hint;
  }
  Hint about_card(const lab::Context& context) const {
    Hint hint{context.name, {}};
    if (context.is_destroyed())
      add(hint.text, frame.text(Text::PictureHintDestroyed));
    else if (box.current)
      add(hint.text, frame.text(Text::PictureHintCardTop, {context.name}));
    if (!box.current) add(hint.text, frame.text(Text::PictureHintCard, {std::to_string(box.depth + 1)}));
    if (context.handle != 0)
      add(hint.text, frame.text(Text::PictureHintHandle, {hexadecimal(context.handle)}));
    add_fresh(hint);
    return hint;
  }
  void add_fresh(Hint& hint) const {
    if (box.fresh) add(hint.text, frame.text(Text::GhostNew));
  }
  Hint about_allocation() const {
    for (const lab::Allocation& a : state.allocations) {
      if (a.number != box.allocation) continue;
      Hint hint{"#" + std::to_string(a.number), {}};
      add(hint.text,
          frame.text(Text::PictureHintAllocation, {kind(a.kind), grouped(a.size), hexadecimal(a.address)}));
      if (a.from) add(hint.text, frame.text(Text::PictureHintFrom, {state.name_of(a.from)}));
      add(hint.text, origin(a.created_at));
      add_fresh(hint);
      return hint;
    }
    return {};
  }
  Hint about_host() const {
    for (const lab::HostRegion& region : state.host.plain) {
      if (make_id(IdSpace::HostRegion, 0, region.number) != box.id) continue;
      Hint hint{box.labels.empty() ? std::string() : box.labels.front().text, {}};
      add(hint.text,
          frame.text(Text::PictureHostPlainHint, {grouped(region.size), hexadecimal(region.address)}));
      add(hint.text, frame.text(Text::PictureHostNamedBy, {call(region.event)}));
      return hint;
    }
    return {};
  }
  std::string kind(lab::MemoryKind memory) const { return std::string(frame.text(lab::memory_word(memory))); }
  Hint about_object() const {
    const lab::Object* object = state.object(box.object);
    if (object == nullptr)  // the pool that was current
      return {{}, box.framed ? std::string(frame.text(Text::PictureHintPool)) : std::string()};
    Hint hint{lab::object_name(*object), {}};
    const std::string kind(frame.text(lab::object_word(object->id.kind)));
    if (object->context < state.contexts.size())
      add(hint.text, frame.text(Text::PictureObjectIn, {kind, state.contexts[object->context].name}));
    else
      add(hint.text, frame.text(Text::PictureObjectOfProcess, {kind}));
    if (object->id.kind == lab::ObjectKind::Module && object->owner)
      add(hint.text, frame.text(Text::PictureObjectCopy, {lab::object_name(object->owner)}));
    if (object->given && !object->owner) add(hint.text, frame.text(Text::PictureObjectGiven));
    if (object->handle != 0)
      add(hint.text, frame.text(Text::PictureHintHandle, {hexadecimal(object->handle)}));
    add(hint.text, origin(object->created_at));
    if (object->id.kind == lab::ObjectKind::Stream && mark.stream.kind == lab::StreamKey::Kind::Made &&
        state.work.of(mark.stream) != nullptr)
      add(hint.text, frame.text(Text::PictureHintLane));
    add(hint.text, frame.text(Text::PictureClickForLife));
    return hint;
  }
  // "Call 12 (cuMemsetD8Async), main.cpp:40".
  std::string call(std::uint64_t event) const {
    const trace::Store& store = run.store;
    if (event >= store.size()) return {};
    const auto index = static_cast<std::size_t>(event);
    const trace::Event made = store.at(index);
    std::string words = frame.text(Text::PictureCall, {std::to_string(store.calls_before(index) + 1)});
    (words += " ") += made.name;
    if (made.line > 0) words += ", " + made.file + ":" + std::to_string(made.line);
    return words;
  }
  Hint about_lane() const {
    Hint hint{stream_words(state, frame.language, mark.stream), {}};
    const std::string context = mark.stream.context < state.contexts.size()
                                    ? state.contexts[mark.stream.context].name
                                    : std::string("?");
    add(hint.text,
        frame.text(mark.stream.kind == lab::StreamKey::Kind::Legacy ? Text::PictureHintLegacyStream
                                                                    : Text::PictureHintPerThreadStream,
                   {context}));
    add(hint.text, frame.text(Text::PictureHintLane));
    return hint;
  }
  Hint about_node() const {
    if (box.more) return {{}, std::string(frame.text(Text::PictureHintMoreNodes))};
    const lab::GraphShape* shape = state.graphs.shape(mark.graph);
    if (shape == nullptr || mark.node >= shape->nodes.size()) return {};
    const auto words = [&](const lab::GraphNode& node) {
      return work_words(state, frame.language, node.kind, node.object, node.bytes);
    };
    const lab::GraphNode& node = shape->nodes[mark.node];
    Hint hint{words(node), {}};
    add(hint.text, frame.text(Text::PictureHintNode, {lab::object_name(mark.graph), call(node.event)}));
    std::string before;
    for (std::size_t i = 0; i < shape->nodes.size(); ++i)
      if ((node.after >> i & 1) != 0) (before += before.empty() ? "" : "; ") += words(shape->nodes[i]);
    add(hint.text, before.empty() ? std::string(frame.text(Text::PictureHintNodeFirst))
                                  : frame.text(Text::PictureHintNodeAfter, {before}));
    return hint;
  }
  Hint about_work() const {
    if (mark.graph) return about_node();
    const lab::StreamWork* stream = state.work.of(mark.stream);
    if (stream == nullptr) return {};
    if (box.more) return {{}, std::string(frame.text(Text::PictureHintMoreWork))};
    for (const lab::WorkItem& item : stream->items) {
      if (item.event != mark.event) continue;
      const bool waits = item.kind == lab::WorkKind::Wait;
      Hint hint{work_words(state, frame.language, item.kind, item.object, waits ? 0 : item.amount), {}};
      add(hint.text, frame.text(Text::PictureHintPutInto,
                                {stream_words(state, frame.language, mark.stream), call(item.event)}));
      if (waits && item.amount != lab::kNoEvent)
        add(hint.text, frame.text(Text::PictureHintWaitsFor, {call(item.amount)}));
      add(hint.text, frame.text(item.kind == lab::WorkKind::Record      ? Text::PictureHintRecordWaiting
                                : item.kind == lab::WorkKind::WaitValue ? Text::PictureHintValueWaiting
                                                                        : Text::PictureHintNotKnownDone));
      return hint;
    }
    return {};
  }
  Hint about_thread() const {
    const lab::Thread* thread = state.thread(box.thread);
    if (thread == nullptr) return {};
    if (!thread->agree) return {{}, std::string(frame.text(Text::PictureHintDisagree))};
    if (box.kind != BoxKind::Stack || !thread->stack.empty())
      return {thread->name, std::string(frame.text(Text::PictureHintThread))};
    const std::int32_t answer = state.initialised ? 201 : 3;
    return {{},
            frame.text(Text::PictureHintEmpty,
                       {std::to_string(answer) + " " + std::string(trace::result_name(answer))})};
  }
};

}  // namespace

Hint hint_for(const Box& box, const Scene& scene, const Frame& frame, const ShownRun& run) {
  const lab::State& state = run.model.at(run.cursor);
  const WorkMark none;
  const WorkMark* mark = scene.mark_of(box);
  const Explainer explainer{box, mark != nullptr ? *mark : none, frame, run, state};
  const bool known = box.context < state.contexts.size();
  switch (box.kind) {
    case BoxKind::Card:
      return known ? explainer.about_card(state.contexts[box.context]) : Hint{};
    case BoxKind::Context:
      return known ? explainer.about_context(state.contexts[box.context]) : Hint{};
    case BoxKind::Allocation:
    case BoxKind::RibbonSpan:
      return explainer.about_allocation();
    case BoxKind::HostMemory:
      return box.piece ? explainer.about_host() : explainer.about_allocation();
    case BoxKind::Object:
      return explainer.about_object();
    case BoxKind::Lane:
      return explainer.about_lane();
    case BoxKind::Work:
      return explainer.about_work();
    case BoxKind::Shares:
      return {{}, std::string(frame.text(Text::PictureHintSms))};
    case BoxKind::Share:
      return box.object ? explainer.about_object() : Hint{{}, std::string(frame.text(Text::PictureHintSms))};
    case BoxKind::Ribbon:
      if (box.piece)
        return {{},
                std::string(frame.text(box.object.kind == lab::ObjectKind::AddressRange
                                           ? Text::PictureHintRange
                                           : Text::PictureHintPool))};
      return {{}, std::string(frame.text(Text::PictureHintRibbon))};
    case BoxKind::Thread:
    case BoxKind::Stack:
      return explainer.about_thread();
    case BoxKind::Fold:
      return {{}, std::string(frame.text(Text::PictureUnfold))};
    case BoxKind::EndedThreads:
      return {{}, std::string(frame.text(Text::PictureEndedThreadsHint))};
    case BoxKind::Ghost:
      return {{}, std::string(frame.text(Text::GhostHint))};
    case BoxKind::Step:
      return {{}, std::string(frame.text(Text::PictureHintStep))};
    case BoxKind::Device:
      return {{}, std::string(frame.text(Text::PictureHintDevice))};
    case BoxKind::Process:
      return {{},
              std::string(frame.text(box.id == make_id(IdSpace::Process, 1)   ? Text::PictureManagedHint
                                     : box.id == make_id(IdSpace::Process, 2) ? Text::PictureHostHint
                                                                              : Text::PictureHintProcess))};
    default:
      return {};
  }
}

}  // namespace gui::picture
