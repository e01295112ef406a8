// SPDX-License-Identifier: MIT
// What calls put into streams, and which calls prove that work is done. Nothing is claimed that is not
// certain: a call on another thread that was still being made proves nothing about what it enqueues.
//
// Lessons 19 and 21 show what is used here: work in one stream is done in order, an event is done when all
// work before it is done, and the legacy stream and the blocking streams of its context wait for each other.
#include <algorithm>
#include <iterator>

#include "api/descriptions.hpp"
#include "model/functions.hpp"
#include "model/streams.hpp"
#include "trace/default_stream.hpp"

namespace lab {
namespace {

constexpr std::uint64_t kLegacyHandle = 1, kPerThreadHandle = 2;  // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD

struct Enqueues {
  Function call;
  WorkKind kind;
  std::string_view bytes;  // the parameter, if it has one
};
// All of them return before the work is done. Copies and fills of the default stream are below.
constexpr Enqueues kEnqueues[] = {
    {Function::cuLaunch, WorkKind::Kernel, {}},
    {Function::cuLaunchGrid, WorkKind::Kernel, {}},
    {Function::cuLaunchGridAsync, WorkKind::Kernel, {}},
    {Function::cuLaunchKernel, WorkKind::Kernel, {}},
    {Function::cuLaunchKernelEx, WorkKind::Kernel, {}},
    {Function::cuLaunchCooperativeKernel, WorkKind::Kernel, {}},
    {Function::cuLaunchHostFunc, WorkKind::Host, {}},
    {Function::cuStreamAddCallback, WorkKind::Host, {}},
    {Function::cuGraphLaunch, WorkKind::Graph, {}},
    {Function::cuMemAllocAsync, WorkKind::Allocate, "bytesize"},
    {Function::cuMemAllocFromPoolAsync, WorkKind::Allocate, "bytesize"},
    {Function::cuMemFreeAsync, WorkKind::Free, {}},
    {Function::cuMemcpyAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyPeerAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyHtoDAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyDtoHAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyDtoDAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyHtoAAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyAtoHAsync, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpy2DAsync, WorkKind::Copy, {}},
    {Function::cuMemcpy3DAsync, WorkKind::Copy, {}},
    {Function::cuMemcpy3DPeerAsync, WorkKind::Copy, {}},
    {Function::cuMemcpyBatchAsync, WorkKind::Copy, {}},
    {Function::cuMemcpy3DBatchAsync, WorkKind::Copy, {}},
    {Function::cuMemsetD8Async, WorkKind::Fill, {}},
    {Function::cuMemsetD16Async, WorkKind::Fill, {}},
    {Function::cuMemsetD32Async, WorkKind::Fill, {}},
    {Function::cuMemsetD2D8Async, WorkKind::Fill, {}},
    {Function::cuMemsetD2D16Async, WorkKind::Fill, {}},
    {Function::cuMemsetD2D32Async, WorkKind::Fill, {}},
    {Function::cuStreamWaitValue32, WorkKind::WaitValue, {}},
    {Function::cuStreamWaitValue64, WorkKind::WaitValue, {}},
    {Function::cuStreamWriteValue32, WorkKind::WriteValue, {}},
    {Function::cuStreamWriteValue64, WorkKind::WriteValue, {}},
    {Function::cuStreamBatchMemOp, WorkKind::Other, {}},
    {Function::cuStreamAttachMemAsync, WorkKind::Other, {}},
    {Function::cuMemPrefetchAsync, WorkKind::Other, "count"},
    {Function::cuMemPrefetchBatchAsync, WorkKind::Other, {}},
    {Function::cuMemDiscardBatchAsync, WorkKind::Other, {}},
    {Function::cuMemDiscardAndPrefetchBatchAsync, WorkKind::Other, {}},
    {Function::cuMemBatchDecompressAsync, WorkKind::Other, {}},
    {Function::cuMemMapArrayAsync, WorkKind::Other, {}},
    {Function::cuSignalExternalSemaphoresAsync, WorkKind::Other, {}},
    {Function::cuWaitExternalSemaphoresAsync, WorkKind::Other, {}},
    // Between two places on devices, and fills: these return before the work is done as well.
    {Function::cuMemcpyDtoD, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyPeer, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyDtoA, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyAtoD, WorkKind::Copy, "ByteCount"},
    {Function::cuMemcpyAtoA, WorkKind::Copy, "ByteCount"},
    {Function::cuMemsetD8, WorkKind::Fill, {}},
    {Function::cuMemsetD16, WorkKind::Fill, {}},
    {Function::cuMemsetD32, WorkKind::Fill, {}},
    {Function::cuMemsetD2D8, WorkKind::Fill, {}},
    {Function::cuMemsetD2D16, WorkKind::Fill, {}},
    {Function::cuMemsetD2D32, WorkKind::Fill, {}},
};

struct Reached {
  StreamKey stream;
  std::uint64_t number = 0;  // of its last item that is known to be done
};

// What follows if `last`, in the stream, is done: work before it in the streams that are ordered with it.
void add_ordered(const Work& work, const StreamKey& key, bool with_legacy, const WorkItem& last,
                 std::vector<Reached>& reached) {
  const auto add = [&](const StreamKey& other, const StreamWork& stream) {
    if (const std::uint64_t number = stream.last_before(last)) reached.push_back({other, number});
  };
  if (key.kind == StreamKey::Kind::Legacy) {
    for (auto it = work.streams.lower_bound({key.context, StreamKey::Kind::PerThread, 0});
         it != work.streams.end() && it->first.context == key.context; ++it)
      if (it->second.with_legacy) add(it->first, it->second);
  } else if (with_legacy) {
    const StreamKey legacy{key.context, StreamKey::Kind::Legacy, 0};
    if (const StreamWork* stream = work.of(legacy)) add(legacy, *stream);
  }
}

// All of this is done, and with it what the items waited for.
void finish(Step& step, std::vector<Reached> reached) {
  while (!reached.empty()) {
    const Reached next = reached.back();
    reached.pop_back();
    const Work& work = step.ledger.work();
    const StreamWork* stream = work.of(next.stream);
    if (stream == nullptr || next.number <= stream->ended) continue;
    const std::uint64_t first = stream->first_kept();
    for (std::uint64_t number = first; number <= next.number && number <= stream->added; ++number) {
      const WorkItem& item = stream->items[number - first];
      if (item.kind == WorkKind::Wait && item.amount != kNoEvent)
        for (const Work::Place& place : work.recorded_by(item.amount))
          reached.push_back({place.stream, place.number});
    }
    if (next.number >= first)
      add_ordered(work, next.stream, stream->with_legacy, stream->items[next.number - first], reached);
    WorkChange change;
    change.what = WorkChange::What::Finish;
    change.stream = next.stream;
    change.number = next.number;
    step.ledger.change(change);
  }
}

// The call waited for the stream, or found it without work: what was enqueued before is done.
void stream_done(Step& step) {
  const auto stream = meant_stream(step);
  const StreamWork* work = stream ? step.ledger.work().of(stream->key) : nullptr;
  if (work != nullptr) finish(step, {{stream->key, work->last_before(item_of(step, WorkKind::Other))}});
}

// A copy in the default stream that returns only when it is done: like work of that stream that is done.
void copy_done(Step& step) {
  const auto stream = stream_of_handle(step, 0);
  if (!stream) return;
  const Work& work = step.ledger.work();
  const WorkItem now = item_of(step, WorkKind::Copy);
  std::vector<Reached> reached;
  if (const StreamWork* own = work.of(stream->key)) reached.push_back({stream->key, own->last_before(now)});
  add_ordered(work, stream->key, stream->with_legacy, now, reached);
  finish(step, std::move(reached));
}

void context_done(Step& step, std::uint32_t context) {
  if (context == kNone) return;
  const WorkItem now = item_of(step, WorkKind::Other);
  std::vector<Reached> reached;
  const Work& work = step.ledger.work();
  for (auto it = work.streams.lower_bound({context, StreamKey::Kind::Legacy, 0});
       it != work.streams.end() && it->first.context == context; ++it)
    if (const std::uint64_t number = it->second.last_before(now)) reached.push_back({it->first, number});
  finish(step, std::move(reached));
}

void event_done(Step& step, std::string_view parameter) {
  const auto event = step.ledger.object_of(ObjectKind::Event, step.passed(parameter));
  const EventMark* mark = event ? step.ledger.work().waiting_mark(event->id) : nullptr;
  if (mark == nullptr || !certainly_before(mark->item, item_of(step, WorkKind::Other))) return;
  std::vector<Reached> reached{{mark->stream, mark->number}};
  for (const Work::Place& place : step.ledger.work().recorded_by(mark->item.event))
    reached.push_back({place.stream, place.number});
  finish(step, std::move(reached));
}

void record_event(Step& step) {
  const auto stream = meant_stream(step);
  const auto event = step.ledger.object_of(ObjectKind::Event, step.passed("hEvent"));
  if (!event) return;
  if (!stream) {
    forget_work_of(step, *event);
    return;
  }
  constexpr std::uint64_t kExternal = 1;  // CU_EVENT_RECORD_EXTERNAL: in a capture, a node of its own
  if ((step.passed("flags") & kExternal) != 0 && step.ledger.graphs().capture_of(stream->key) != nullptr)
    make_unclear(step, event->id);
  else if (capture_record(step, *stream, event->id))
    return;
  WorkItem item = item_of(step, WorkKind::Record);
  item.object = event->id;
  enqueue(step, *stream, item);
}

void record_elsewhere(Step& step) {
  if (const auto event = step.ledger.object_of(ObjectKind::Event, step.passed("hEvent")))
    forget_work_of(step, *event);
}

// A wait for an event that was never recorded, or whose record is known to be done, waits for nothing.
std::optional<WorkItem> wait_item(Step& step, ObjectId event) {
  const EventMark* mark = step.ledger.work().waiting_mark(event);
  const bool unclear = step.ledger.work().unclear.contains(event.number);
  if (mark == nullptr && !unclear) return std::nullopt;
  WorkItem item = item_of(step, WorkKind::Wait);
  item.object = event;
  item.amount = unclear ? kNoEvent : certainly_before(mark->item, item) ? mark->item.event : kNoEvent;
  return item;
}

void wait_event(Step& step) {
  const auto stream = meant_stream(step);
  const auto event = step.ledger.object_of(ObjectKind::Event, step.passed("hEvent"));
  if (!stream || !event || capture_wait(step, *stream, event->id)) return;
  if (const auto item = wait_item(step, event->id)) enqueue(step, *stream, *item);
}

// The streams of a green context that are known: those that were made of it, and those of its context.
std::vector<MeantStream> streams_of_green(Step& step) {
  std::vector<MeantStream> streams;
  const std::uint64_t handle = step.passed("hCtx");
  const auto add = [&](ObjectId id) {
    const auto stream = id.kind == ObjectKind::Stream ? step.ledger.object(id) : std::nullopt;
    if (stream)
      streams.push_back({{stream->context, StreamKey::Kind::Made, stream->id.number}, stream->blocking});
  };
  if (const auto green = step.ledger.object_of(ObjectKind::GreenContext, handle))
    for (const ObjectId id : step.ledger.given_by(green->id)) add(id);
  for (std::uint32_t index = 0; index < step.state.contexts.size(); ++index) {
    if (step.state.contexts[index].green != handle || !step.state.contexts[index].alive) continue;
    for (const ObjectId id : step.ledger.objects_of(index)) add(id);
    streams.push_back({{index, StreamKey::Kind::Legacy, 0}, false});
  }
  return streams;
}

// All work of the green context up to now: a record in each of its streams that may have some.
void record_green(Step& step) {
  const auto event = step.ledger.object_of(ObjectKind::Event, step.passed("hEvent"));
  if (!event) return;
  forget_work_of(step, *event);
  WorkItem item = item_of(step, WorkKind::Record);
  item.object = event->id;
  for (const MeantStream& stream : streams_of_green(step))
    if (step.ledger.work().of(stream.key) != nullptr) enqueue(step, stream, item);
}

// All work from now on waits, in each of its streams.
void wait_green(Step& step) {
  const auto event = step.ledger.object_of(ObjectKind::Event, step.passed("hEvent"));
  if (!event) return;
  if (const auto item = wait_item(step, event->id))
    for (const MeantStream& stream : streams_of_green(step)) enqueue(step, stream, *item);
}

void unclear_from_now(Step& step, std::uint64_t handle) {
  if (const auto event = step.ledger.object_of(ObjectKind::Event, handle)) make_unclear(step, event->id);
}

// What the call is about, after its other rule was applied.
ObjectId object_of(Step& step, WorkKind kind) {
  switch (kind) {
    case WorkKind::Kernel:
      return kernel_of(step, step.passed("f"));
    case WorkKind::Graph: {
      const auto graph = step.ledger.object_of(ObjectKind::GraphExec, step.passed("hGraphExec"));
      return graph ? graph->id : ObjectId{};
    }
    default:
      for (const Change& change : step.state.changes)
        if (change.allocation != 0) return {ObjectKind::Allocation, change.allocation};
      return {};
  }
}

std::uint64_t filled_bytes(const Step& step) {
  const std::uint64_t width = step.argument("N") ? step.passed("N") : step.passed("Width");
  const std::uint64_t rows = step.argument("Height") ? step.passed("Height") : 1;
  return width * rows * element_bytes(step.event.function);
}

void enqueue_call(Step& step, const Enqueues& call) {
  const auto stream = meant_stream(step);
  if (!stream) return;
  WorkItem item = item_of(step, call.kind);
  item.object = object_of(step, call.kind);
  if (call.kind == WorkKind::Fill)
    item.amount = filled_bytes(step);
  else if (!call.bytes.empty())
    item.amount = step.passed(call.bytes);
  enqueue(step, *stream, item);
}

// Copies by a struct say what kind of memory is at each end. Unified addresses say nothing here.
void copy_shaped(Step& step) {
  const trace::Argument* copy = step.argument("pCopy");
  if (copy == nullptr) return;
  const std::string_view from = copy->field("srcMemoryType"), to = copy->field("dstMemoryType");
  const auto on_device = [](std::string_view type) {
    return type == "CU_MEMORYTYPE_DEVICE" || type == "CU_MEMORYTYPE_ARRAY";
  };
  if (to == "CU_MEMORYTYPE_HOST" && on_device(from)) return copy_done(step);
  if (on_device(from) && on_device(to)) enqueue_call(step, {step.event.function, WorkKind::Copy, {}});
}

// Addresses of either side: what lies there decides.
void copy_unified(Step& step) {
  const auto kind_at = [&](std::string_view name) -> std::optional<MemoryKind> {
    const auto held = step.ledger.holding(step.passed(name));
    return held ? std::optional(held->kind) : std::nullopt;
  };
  const auto on_device = [](std::optional<MemoryKind> kind) {
    return kind == MemoryKind::Device || kind == MemoryKind::Pooled || kind == MemoryKind::Mapped;
  };
  const auto on_host = [](std::optional<MemoryKind> kind) {
    return kind == MemoryKind::Host || kind == MemoryKind::Registered;
  };
  const auto from = kind_at("src"), to = kind_at("dst");
  if (on_device(from) && on_device(to))
    enqueue_call(step, {step.event.function, WorkKind::Copy, "ByteCount"});
  else if ((on_host(from) && on_device(to)) || (on_device(from) && on_host(to)))
    copy_done(step);
}

// A copy from memory that is not pinned may return when its bytes have been put aside, so it proves nothing.
void copy_to_device(Step& step) {
  const auto from = step.ledger.holding(step.passed("srcHost"));
  if (from && (from->kind == MemoryKind::Host || from->kind == MemoryKind::Registered)) copy_done(step);
}

}  // namespace

std::optional<MeantStream> stream_of_handle(Step& step, std::uint64_t handle) {
  const bool per_thread = trace::means_per_thread_stream(step.event.symbol);
  if (handle == kLegacyHandle || handle == kPerThreadHandle || handle == 0) {
    const std::uint32_t context = step.top();
    if (context == kNone) return std::nullopt;
    if (handle == kPerThreadHandle || (handle == 0 && per_thread))
      return MeantStream{{context, StreamKey::Kind::PerThread, step.event.thread}, true};
    return MeantStream{{context, StreamKey::Kind::Legacy, 0}, false};
  }
  const auto stream = step.ledger.object_of(ObjectKind::Stream, handle);
  if (!stream) return std::nullopt;
  return MeantStream{{stream->context, StreamKey::Kind::Made, stream->id.number}, stream->blocking};
}

std::optional<MeantStream> meant_stream(Step& step) {
  for (const trace::Argument& argument : step.event.arguments)
    if (argument.handle_type == "CUstream" && argument.role == trace::Role::In)
      return stream_of_handle(step, argument.word);
  if (const trace::Argument* config = step.argument("config"))
    return stream_of_handle(step, config->field_number("hStream").value_or(0));
  return stream_of_handle(step, 0);
}

WorkItem item_of(const Step& step, WorkKind kind) {
  WorkItem item;
  item.event = step.event.seq;
  item.began = step.event.t_ns;
  constexpr std::uint64_t kLong = 0xffffffff;  // ns
  item.returned = step.event.dur_ns < kLong ? step.event.t_ns + step.event.dur_ns : kMuchLater;
  item.thread = step.event.thread;
  item.kind = kind;
  return item;
}

ObjectId kernel_of(Step& step, std::uint64_t handle) {
  for (const ObjectKind kind : {ObjectKind::Function, ObjectKind::Kernel})
    if (const auto found = step.ledger.object_of(kind, handle)) return found->id;
  return {};
}

void make_unclear(Step& step, ObjectId event) {
  if (step.ledger.work().unclear.contains(event.number)) return;
  WorkChange change;
  change.what = WorkChange::What::Unclear;
  change.item.object = event;
  step.ledger.change(change);
}

void enqueue(Step& step, const MeantStream& stream, const WorkItem& item) {
  if (capture(step, stream, item)) return;
  WorkChange change;
  change.what = WorkChange::What::Enqueue;
  change.stream = stream.key;
  change.with_legacy = stream.with_legacy;
  change.item = item;
  step.ledger.change(change);
}

void forget_work_of_context(Step& step, std::uint32_t context) {
  const Work& work = step.ledger.work();
  const auto first = work.streams.lower_bound({context, StreamKey::Kind::Legacy, 0});
  if (first == work.streams.end() || first->first.context != context) return;
  WorkChange change;
  change.what = WorkChange::What::ForgetContext;
  change.stream.context = context;
  step.ledger.change(change);
}

void forget_work_of_thread(Step& step) {
  const Work& work = step.ledger.work();
  if (std::none_of(work.streams.begin(), work.streams.end(), [&](const auto& one) {
        return one.first.kind == StreamKey::Kind::PerThread && one.first.number == step.event.thread;
      }))
    return;
  WorkChange change;
  change.what = WorkChange::What::ForgetThread;
  change.number = step.event.thread;
  step.ledger.change(change);
}

void forget_work_of(Step& step, const Object& ended) {
  const Work& work = step.ledger.work();
  WorkChange change;
  if (ended.id.kind == ObjectKind::Stream) {
    change.what = WorkChange::What::ForgetStream;
    change.stream = {ended.context, StreamKey::Kind::Made, ended.id.number};
    if (work.of(change.stream) != nullptr) step.ledger.change(change);
  } else if (ended.id.kind == ObjectKind::Event && work.marks.contains(ended.id.number)) {
    change.what = WorkChange::What::ForgetEvent;
    change.item.object = ended.id;
    step.ledger.change(change);
  }
}

std::vector<Rule> work_rules() {
  std::vector<Rule> rules = graph_rules();
  for (const Enqueues& call : kEnqueues)
    rules.push_back({call.call, [&call](Step& step) { enqueue_call(step, call); }});
  const Rule others[] = {
      {Function::cuMemcpyDtoH, copy_done},
      {Function::cuMemcpyAtoH, copy_done},
      {Function::cuMemcpyHtoD, copy_to_device},
      {Function::cuMemcpyHtoA, copy_to_device},
      {Function::cuMemcpy, copy_unified},
      {Function::cuMemcpy2D, copy_shaped},
      {Function::cuMemcpy2DUnaligned, copy_shaped},
      {Function::cuMemcpy3D, copy_shaped},
      {Function::cuEventRecord, record_event},
      {Function::cuEventRecordWithFlags, record_event},
      {Function::cuStreamWaitEvent, wait_event},
      // In all streams of a context.
      {Function::cuCtxRecordEvent, record_elsewhere},
      {Function::cuGreenCtxRecordEvent, record_green},
      {Function::cuGreenCtxWaitEvent, wait_green},
      // By another process, which has the same event.
      {Function::cuIpcGetEventHandle, [](Step& step) { unclear_from_now(step, step.passed("event")); }},
      {Function::cuIpcOpenEventHandle,
       [](Step& step) { unclear_from_now(step, step.written("phEvent").value_or(0)); }},
      {Function::cuStreamSynchronize, stream_done},
      {Function::cuStreamQuery, stream_done},
      {Function::cuEventSynchronize, [](Step& step) { event_done(step, "hEvent"); }},
      {Function::cuEventQuery, [](Step& step) { event_done(step, "hEvent"); }},
      {Function::cuEventElapsedTime,
       [](Step& step) {
         event_done(step, "hStart");
         event_done(step, "hEnd");
       }},
      {Function::cuCtxSynchronize,
       [](Step& step) {
         const std::uint64_t named = step.passed("ctx");  // since CUDA 13; null: the current one
         context_done(step, named == 0 ? step.top() : step.state.context_of(named));
       }},
  };
  std::copy(std::begin(others), std::end(others), std::back_inserter(rules));
  return rules;
}

}  // namespace lab
