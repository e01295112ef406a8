// SPDX-License-Identifier: MIT
// Writes a run into a file, chunk by chunk; the bytes are described in trace/FORMAT.md. Chunks refer to
// earlier ones only, so what was written before a crash or a full disk can be read.
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "event_codec.hpp"
#include "recording_format.hpp"
#include "trace/recording.hpp"
#include "trace/recording_stream.hpp"
#include "trace/saved_file.hpp"

namespace trace {
namespace {

constexpr std::uint64_t kSpareEvents = 8;

// The file's own texts: new ones are written in front of the events that use them.
class FileTexts final : public TextPool {
 public:
  explicit FileTexts(std::uint64_t most) : most_(most) {}
  std::uint64_t number_of(std::string_view text) override {
    if (text.empty()) return 0;
    const std::uint64_t number = number_below(most_, text);
    return number == kNotNumbered ? 0 : number;
  }
  // An eighth is kept for names and paths, which have no other place.
  std::uint64_t number_if_room(std::string_view text) override {
    return text.empty() ? 0 : number_below(most_ - most_ / 8, text);
  }
  bool text_of(std::uint64_t, std::string_view&) const override { return false; }

  void take_added(ByteWriter& out) {
    out.number(added_count_);
    out.raw(added_.data(), added_.size());
    added_.clear();
    added_count_ = 0;
  }

 private:
  std::uint64_t number_below(std::uint64_t most, std::string_view text) {
    if (numbers_.size() >= most) {
      const auto found = numbers_.find(std::string(text));
      return found == numbers_.end() ? kNotNumbered : found->second;
    }
    const auto [place, fresh] = numbers_.try_emplace(std::string(text), numbers_.size() + 1);
    if (fresh) {
      added_.text(text);
      ++added_count_;
    }
    return place->second;
  }

  const std::uint64_t most_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  ByteWriter added_;
  std::uint64_t added_count_ = 0;
};

}  // namespace

struct RecordingWriter::Impl {
  explicit Impl(const RecordingLimits& most) : limits(most), texts(most.texts) {}

  const RecordingLimits limits;
  std::unique_ptr<SavedFile> file;
  std::string* memory = nullptr;  // instead of a file
  bool failed = false, finished = false;
  std::uint64_t total = 0, plain_bytes = 0, sources = 0, source_bytes = 0;
  std::uint64_t left_out = 0, not_said = 0;  // calls that found no room; those that no event has reported yet
  std::uint64_t output_left_out = 0;         // bytes
  bool full = false;
  std::uint64_t bytes_whole = 0, calls_whole = 0;  // in the file, up to its last whole chunk
  std::uint64_t calls_taken = 0;
  std::size_t flush_bytes = format::kFirstFlushBytes;

  FileTexts texts;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> shape_numbers;
  std::vector<FunctionShape> shapes;
  std::size_t shapes_written = 0;
  ColumnWriter events;  // of the chunk being filled
  std::uint64_t count = 0;
  std::uint64_t last_time = 0;
  // Times of work: how many of the store's were taken, and those that are not written yet.
  std::size_t work_taken = 0;
  std::uint64_t work_total = 0, work_count = 0, last_work = 0;
  ByteWriter work;

  bool put(const void* data, std::size_t size) {
    if (memory != nullptr) {
      memory->append(static_cast<const char*>(data), size);
      return !failed;
    }
    failed = failed || !file->write({static_cast<const char*>(data), size});
    return !failed;
  }

  bool chunk(format::ChunkKind kind, const ByteWriter& plain) {
    if (failed || plain.size() > format::kMostPlainBytes) return !(failed = true);
    plain_bytes += plain.size();
    std::vector<std::uint8_t> packed(ZSTD_compressBound(plain.size()));
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3);
    if (ZSTD_isError(size) != 0) return !(failed = true);
    packed.resize(size);
    std::uint8_t header[format::kChunkHeader];
    format::put32(header, format::kChunkMark);
    format::put32(header + 4, static_cast<std::uint32_t>(kind));
    format::put32(header + 8, static_cast<std::uint32_t>(packed.size()));
    format::put32(header + 12, static_cast<std::uint32_t>(plain.size()));
    format::put32(header + 16, format::check_of(std::span(header, 16), packed));
    if (!put(header, sizeof header) || !put(packed.data(), packed.size())) return false;
    bytes_whole += sizeof header + packed.size();
    calls_whole = calls_taken;
    return true;
  }

  // kNotNumbered where the file may have no more of them.
  std::uint64_t shape_number(const Event& call) {
    auto& candidates = shape_numbers[hash_of_shape(call)];
    for (const std::uint64_t number : candidates) {
      if (has_shape(call, shapes[number])) return number;
    }
    if (shapes.size() >= limits.shapes) return kNotNumbered;
    shapes.push_back(shape_of(call));
    candidates.push_back(shapes.size() - 1);
    return shapes.size() - 1;
  }

  // A few events and the last chunk always find room: that calls were left out, how the run ended, sources.
  bool is_full() const {
    return total + count + kSpareEvents >= limits.events ||
           plain_bytes + events.size() >= limits.plain_bytes - limits.plain_bytes / 8;
  }

  void take(const Event& event) {
    full = full || is_full();
    if (event.kind == EventKind::ProcessEnd && event.process == 0) {
      say_left_out(event.t_ns);
      if (total + count + 1 < limits.events) add(event);
      return;
    }
    if (!full && add(event)) return;
    const std::uint64_t calls = event.kind == EventKind::Call   ? 1
                                : event.kind == EventKind::Lost ? event.number
                                                                : 0;
    left_out += calls;
    not_said += calls;
    if (event.kind == EventKind::Output) output_left_out += event.text.size();
  }

  void say_left_out(std::uint64_t t_ns) {
    if (not_said == 0 || total + count >= limits.events) return;
    Event lost;
    lost.kind = EventKind::Lost;
    lost.number = std::exchange(not_said, 0);
    lost.t_ns = t_ns;
    add(lost);
  }

  void write_sources(ByteWriter& out, const std::map<std::string, std::string>& all) {
    std::vector<const std::pair<const std::string, std::string>*> fit;
    for (const auto& source : all) {
      const std::uint64_t bytes = source.first.size() + source.second.size();
      if (sources >= limits.sources || source_bytes + bytes > limits.source_bytes) continue;
      ++sources;
      source_bytes += bytes;
      fit.push_back(&source);
    }
    out.number(fit.size());
    for (const auto* source : fit) {
      out.text(source->first);
      out.text(source->second);
    }
  }

  // False: it found no room.
  bool add(const Event& event) {
    const std::uint64_t shape = event.kind == EventKind::Call ? shape_number(event) : 0;
    if (shape == kNotNumbered) return false;
    events.byte(Column::Kind, static_cast<std::uint8_t>(event.kind));
    events.number(Column::Thread, event.thread);
    events.signed_number(Column::Time, static_cast<std::int64_t>(event.t_ns - last_time));
    last_time = event.t_ns;
    if (event.kind == EventKind::Call) {
      ++calls_taken;
      events.signed_number(Column::Result, event.result);
      events.number(Column::Shape, shape);
    }
    write_body(events, event, texts);
    ++count;
    return true;
  }

  void take(const WorkTime& time) {
    if (work_total >= limits.events) return;
    ++work_total, ++work_count;
    work.number(time.thread);
    work.signed_number(static_cast<std::int64_t>(time.enqueued - last_work));
    work.number(time.began - time.enqueued);
    work.number(time.ended - time.began);
    last_work = time.enqueued;
  }

  bool flush_work() {
    if (work_count == 0) return !failed;
    ByteWriter plain;
    plain.number(std::exchange(work_count, 0));
    plain.raw(work.data(), work.size());
    work.clear();
    return chunk(format::ChunkKind::WorkTimes, plain);
  }

  bool flush() {
    if (count == 0) return flush_work();
    ByteWriter plain;
    plain.number(shapes.size() - shapes_written);
    for (; shapes_written < shapes.size(); ++shapes_written) write_shape(plain, shapes[shapes_written]);
    texts.take_added(plain);
    plain.number(count);
    events.write(plain);
    total += count;
    count = 0;
    events.clear();
    return chunk(format::ChunkKind::Columns, plain) && flush_work();
  }
};

RecordingWriter::RecordingWriter() = default;
RecordingWriter::~RecordingWriter() = default;

std::unique_ptr<RecordingWriter> RecordingWriter::create(const std::filesystem::path& path,
                                                         const RunInfo& info, std::string* error,
                                                         const RecordingLimits& limits) {
  std::unique_ptr<RecordingWriter> writer(new RecordingWriter);
  writer->impl_ = std::make_unique<Impl>(limits);
  Impl& impl = *writer->impl_;
  impl.file = SavedFile::create(path);
  if (!impl.file) {
    if (error != nullptr) *error = std::strerror(errno);
    return nullptr;
  }
  if (!writer->begin(info)) {
    if (error != nullptr) *error = std::strerror(errno);
    writer->discard();
    return nullptr;
  }
  return writer;
}

bool RecordingWriter::begin(const RunInfo& info) {
  std::uint8_t header[format::kFileHeader] = {};
  std::memcpy(header, format::kMagic.data(), format::kMagic.size());
  header[8] = static_cast<std::uint8_t>(format::kMajor);
  header[10] = static_cast<std::uint8_t>(format::kMinor);
  ByteWriter plain;
  const std::pair<std::string_view, std::string_view> fields[] = {
      {"lesson", info.lesson},           {"program", info.program}, {"driver", info.driver},
      {"driver_name", info.driver_name}, {"started", info.started}, {"made_by", info.made_by}};
  plain.number(std::size(fields));
  for (const auto& [key, value] : fields) {
    plain.text(key);
    plain.text(value);
  }
  impl_->write_sources(plain, info.sources);
  if (!impl_->put(header, sizeof header)) return false;
  impl_->bytes_whole = sizeof header;
  return impl_->chunk(format::ChunkKind::Info, plain);
}

bool RecordingWriter::add_sources(const std::map<std::string, std::string>& sources) {
  ByteWriter plain;
  plain.number(0);  // no fields
  impl_->write_sources(plain, sources);
  return impl_->flush() && impl_->chunk(format::ChunkKind::Info, plain);
}

bool RecordingWriter::write(const Store& store, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to && i < store.size(); ++i) {
    impl_->take(store.at(i));
    if (impl_->events.size() < impl_->flush_bytes) continue;
    impl_->flush_bytes = std::min(2 * impl_->flush_bytes, format::kFlushBytes);
    if (!impl_->flush()) return false;
  }
  for (const std::size_t known = store.work_times(); impl_->work_taken < known; ++impl_->work_taken) {
    impl_->take(store.work_time_at(impl_->work_taken));
    if (impl_->work.size() >= format::kFlushBytes && !impl_->flush_work()) return false;
  }
  return !impl_->failed;
}

bool RecordingWriter::finish() {
  if (impl_->finished) return !impl_->failed;
  impl_->say_left_out(impl_->last_time);
  bool good = impl_->flush();
  ByteWriter plain;
  plain.number(impl_->total);
  good = good && impl_->chunk(format::ChunkKind::End, plain);
  good = good && impl_->file->commit();
  impl_->finished = good;
  impl_->failed = !good;
  return good;
}

void RecordingWriter::discard() {
  if (impl_->finished) return;
  impl_->finished = impl_->failed = true;
  impl_->file->discard();
}

std::filesystem::path RecordingWriter::keep_cut() {
  if (impl_->finished) return {};
  if (impl_->calls_whole == 0) return discard(), std::filesystem::path();
  impl_->finished = impl_->failed = true;
  return impl_->file->keep_cut(impl_->bytes_whole);
}

std::uint64_t RecordingWriter::calls_written() const {
  return impl_->calls_whole;
}

std::uint64_t RecordingWriter::left_out() const {
  return impl_->left_out;
}

std::uint64_t RecordingWriter::output_left_out() const {
  return impl_->output_left_out;
}

const std::filesystem::path& RecordingWriter::temporary() const {
  return impl_->file->temporary();
}

int RecordingWriter::error() const {
  return impl_->file->error();
}

RecordingStream::RecordingStream(const RunInfo& info) : writer_(new RecordingWriter) {
  RecordingLimits limits;
  limits.plain_bytes = ~std::uint64_t{0};  // the bytes are not kept
  writer_->impl_ = std::make_unique<RecordingWriter::Impl>(limits);
  writer_->impl_->memory = &bytes_;
  writer_->begin(info);
}
RecordingStream::~RecordingStream() {
  writer_->impl_->finished = true;
}

std::string RecordingStream::take(const Store& store, std::size_t from, std::size_t to) {
  writer_->write(store, from, to);
  writer_->impl_->flush();
  return std::exchange(bytes_, {});
}

}  // namespace trace
