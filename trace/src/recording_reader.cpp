// SPDX-License-Identifier: MIT
// Reads a recording and checks everything in it. Its bytes: trace/FORMAT.md.
//
// A recording may be cut off, damaged or made up: what precedes the first flaw is kept, the place of the flaw
// is reported. Memory is bounded by format's limits whatever the file claims.
#include <zstd.h>

#include <fstream>
#include <memory>
#include <new>
#include <sstream>

#include "event_codec.hpp"
#include "recording_format.hpp"
#include "recording_reader.hpp"
#include "trace/recording.hpp"
#include "trace/recording_stream.hpp"

namespace trace {
namespace {

class KnownTexts final : public TextPool {
 public:
  std::uint64_t number_of(std::string_view) override { return 0; }
  bool text_of(std::uint64_t number, std::string_view& text) const override {
    if (number >= texts_.size()) return false;
    text = texts_[number];
    return true;
  }
  void add(std::string_view text) {
    texts_.emplace_back(text);
    bytes_ += sizeof(std::string) + text.size();
  }
  std::size_t bytes() const { return bytes_; }
  std::size_t size() const { return texts_.size() - 1; }  // without the empty one

 private:
  std::vector<std::string> texts_{std::string()};
  std::size_t bytes_ = 0;
};

class Reader {
 public:
  Reader(std::istream& in, Store& store, RunInfo& info, ReadWatch* watch, const RecordingLimits& limits = {})
      : in_(in), store_(store), info_(info), watch_(watch), limits_(limits) {}

  // Of a stream that comes in pieces of whole chunks: one of them. What is kept does not grow with the
  // stream.
  RecordingResult read_piece() try {
    in_pieces_ = true;
    if (place_ == 0) {
      if (const RecordingResult result = head(); result.problem != RecordingProblem::None) return result;
    }
    total_ = 0;
    while (in_.peek() != std::istream::traits_type::eof()) {
      const RecordingResult result = chunk();
      if (result.problem != RecordingProblem::None) return result;
    }
    return {};
  } catch (const std::bad_alloc&) {
    return too_large();
  }

  RecordingResult read_beginning() { return head(); }

  RecordingResult read() try {
    if (const RecordingResult result = head(); result.problem != RecordingProblem::None) return result;
    while (!done_) {
      if (watch_ != nullptr && watch_->cancel) return cut_off("what was not waited for");
      const RecordingResult result = chunk();
      if (result.problem != RecordingProblem::None) return result;
      if (watch_ != nullptr) watch_->bytes = place_;
    }
    return {};
  } catch (const std::bad_alloc&) {
    return too_large();
  }

 private:
  RecordingResult head() {
    std::uint8_t header[format::kFileHeader];
    const std::size_t got = fill(header, sizeof header);
    if (got < format::kMagic.size() ||
        std::memcmp(header, format::kMagic.data(), format::kMagic.size()) != 0) {
      return {RecordingProblem::NotARecording, 0, "the mark DLABREC"};
    }
    if (got < sizeof header) return {RecordingProblem::CutOff, got, "the file header"};
    const int major = header[8] | header[9] << 8;
    if (major > format::kMajor)
      return {RecordingProblem::NewerVersion, 8, "version " + std::to_string(format::kMajor)};
    if (major == 0) return {RecordingProblem::Damaged, 8, "version " + std::to_string(format::kMajor)};
    place_ = sizeof header;
    return {};
  }

  RecordingResult cut_off(const char* what) const { return {RecordingProblem::CutOff, place_, what}; }
  RecordingResult damaged(const char* what) const { return {RecordingProblem::Damaged, place_, what}; }
  RecordingResult too_large() const { return {RecordingProblem::TooLarge, place_, "half of the memory"}; }

  std::size_t fill(std::uint8_t* to, std::size_t size) {
    in_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(in_.gcount());
  }

  RecordingResult chunk() {
    std::uint8_t header[format::kChunkHeader];
    const std::size_t got = fill(header, sizeof header);
    if (got < sizeof header) return cut_off(got == 0 ? "a chunk; the last one is missing" : "a chunk header");
    const std::uint32_t kind = format::get32(header + 4);
    const std::uint32_t packed_size = format::get32(header + 8);
    const std::uint32_t plain_size = format::get32(header + 12);
    if (format::get32(header) != format::kChunkMark) return damaged("the mark CHNK");
    if (plain_size > format::kMostPlainBytes || packed_size > ZSTD_compressBound(plain_size)) {
      return damaged("a chunk of sane size");
    }
    total_ += plain_size;
    if (total_ > limits_.plain_bytes) return damaged("fewer bytes in all");
    if (!read_packed(packed_size)) return cut_off("the rest of a chunk");
    if (format::get32(header + 16) != format::check_of(std::span(header, 16), packed_)) {
      return damaged("a chunk that fits its check");
    }
    plain_.resize(plain_size);
    const std::size_t size = ZSTD_decompress(plain_.data(), plain_.size(), packed_.data(), packed_.size());
    if (ZSTD_isError(size) != 0 || size != plain_size) return damaged("a zstd frame of the stated size");
    const RecordingResult result = contents(kind);
    place_ += sizeof header + packed_size;
    return result;
  }

  // Grows with what is really there, not with what the header claims.
  bool read_packed(std::size_t size) {
    packed_.clear();
    while (packed_.size() < size) {
      const std::size_t step = std::min<std::size_t>(size - packed_.size(), 1 << 20);
      const std::size_t old = packed_.size();
      packed_.resize(old + step);
      if (fill(packed_.data() + old, step) < step) return false;
    }
    return true;
  }

  RecordingResult contents(std::uint32_t kind) {
    ByteReader in(plain_);
    switch (static_cast<format::ChunkKind>(kind)) {
      case format::ChunkKind::Info:
        return information(in) ? RecordingResult{} : damaged("information on the run, and fewer sources");
      case format::ChunkKind::Events:
        return events(in, false);
      case format::ChunkKind::Columns:
        return events(in, true);
      case format::ChunkKind::WorkTimes:
        return work_times(in);
      case format::ChunkKind::End:
        done_ = true;
        return in.number() == store_.size() ? RecordingResult{} : damaged("as many events as the end says");
    }
    return {};  // added by a later minor version
  }

  RecordingResult work_times(ByteReader& in) {
    const std::uint64_t count = in.number();
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
      if (store_.work_times() >= limits_.events) return damaged("fewer times of work");
      WorkTime time;
      time.thread = static_cast<std::uint32_t>(in.number());
      last_work_ += static_cast<std::uint64_t>(in.signed_number());
      time.enqueued = last_work_;
      time.began = time.enqueued + in.number();
      time.ended = time.began + in.number();
      if (!in.ok()) break;
      if (time.ended < time.began || time.began < time.enqueued) return damaged("times of work in order");
      store_.append(time);
      if (holds_too_much()) return too_large();
    }
    return in.ok() ? RecordingResult{} : damaged("times of work");
  }

  bool information(ByteReader& in) {
    const std::uint64_t fields = in.number();
    for (std::uint64_t i = 0; i < fields && in.ok(); ++i) {
      const std::string_view key = in.text();
      const std::string value(in.text());
      if (key == "lesson") info_.lesson = value;
      if (key == "program") info_.program = value;
      if (key == "driver") info_.driver = value;
      if (key == "driver_name") info_.driver_name = value;
      if (key == "started") info_.started = value;
      if (key == "made_by") info_.made_by = value;
    }
    const std::uint64_t sources = in.number();
    for (std::uint64_t i = 0; i < sources && in.ok(); ++i) {
      const std::string name(in.text());
      const std::string_view text = in.text();
      source_bytes_ += name.size() + text.size();
      if (source_bytes_ > limits_.source_bytes || info_.sources.size() >= limits_.sources) return false;
      info_.sources[name] = std::string(text);
    }
    return in.ok();
  }

  RecordingResult events(ByteReader& in, bool columns) {
    const std::uint64_t shapes = in.number();
    for (std::uint64_t i = 0; i < shapes && in.ok(); ++i) {
      shapes_.emplace_back();
      if (shapes_.size() > limits_.shapes || !read_shape(in, shapes_.back())) {
        return damaged("a function's description");
      }
    }
    const std::uint64_t texts = in.number();
    for (std::uint64_t i = 0; i < texts && in.ok(); ++i) {
      if (texts_.size() >= limits_.texts) return damaged("fewer texts");
      texts_.add(in.text());
      if (holds_too_much()) return too_large();
    }
    const std::uint64_t count = in.number();
    if (columns) {
      ColumnReader fields(in);
      return all_events(fields, count);
    }
    RowReader fields(in);
    return all_events(fields, count);
  }

  bool holds_too_much() const { return most_memory_ != 0 && store_.bytes() + texts_.bytes() > most_memory_; }

  template <class In>
  RecordingResult all_events(In& in, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
      if (store_.size() >= limits_.events) return in_pieces_ ? too_large() : damaged("fewer events");
      if (!event(in)) return damaged("an event");
      if (holds_too_much()) return too_large();
    }
    return in.ok() ? RecordingResult{} : damaged("an event");
  }

  template <class In>
  bool event(In& in) {
    Event event;
    const std::uint8_t kind = in.byte(Column::Kind);
    if (kind > static_cast<std::uint8_t>(kLastEventKind)) return false;
    event.kind = static_cast<EventKind>(kind);
    event.thread = static_cast<std::uint32_t>(in.number(Column::Thread));
    last_time_ += static_cast<std::uint64_t>(in.signed_number(Column::Time));
    event.t_ns = last_time_;
    const FunctionShape* shape = nullptr;
    if (event.kind == EventKind::Call) {
      event.result = static_cast<std::int32_t>(in.signed_number(Column::Result));
      const std::uint64_t number = in.number(Column::Shape);
      if (number >= shapes_.size()) return false;
      shape = &shapes_[static_cast<std::size_t>(number)];
    }
    if (!read_body(in, event, shape, texts_)) return false;
    store_.append(event);
    return true;
  }

  std::istream& in_;
  Store& store_;
  RunInfo& info_;
  ReadWatch* watch_ = nullptr;
  RecordingLimits limits_;
  const std::uint64_t most_memory_ = limits_.memory != 0 ? limits_.memory : half_of_memory();
  std::uint64_t place_ = 0, total_ = 0, last_time_ = 0, last_work_ = 0, source_bytes_ = 0;
  bool done_ = false, in_pieces_ = false;
  std::vector<std::uint8_t> packed_, plain_;
  std::vector<FunctionShape> shapes_;
  KnownTexts texts_;
};

}  // namespace

struct RecordingFeed::Impl {
  Impl(Store& store, RunInfo& info, const RecordingLimits& limits)
      : reader(in, store, info, nullptr, limits) {}
  std::istringstream in;
  Reader reader;
  RecordingResult result;
};

RecordingFeed::RecordingFeed(Store& store, RunInfo& info, const RecordingLimits& limits)
    : impl_(std::make_unique<Impl>(store, info, limits)) {}
RecordingFeed::~RecordingFeed() = default;

RecordingResult RecordingFeed::feed(std::string_view piece) {
  if (impl_->result.problem != RecordingProblem::None) return impl_->result;
  impl_->in.clear();
  impl_->in.str(std::string(piece));
  return impl_->result = impl_->reader.read_piece();
}

RecordingResult read_recording(std::istream& in, Store& store, RunInfo& info, const RecordingLimits& limits) {
  return Reader(in, store, info, nullptr, limits).read();
}

RecordingResult begins_as_recording(const std::filesystem::path& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_directory(path, unknown) &&
      !std::filesystem::is_regular_file(path, unknown))
    return {};
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, unknown))
    return {RecordingProblem::CannotOpen, 0, "a readable file"};
  Store nothing;
  RunInfo info;
  return Reader(in, nothing, info, nullptr).read_beginning();
}

RecordingResult read_recording(const std::filesystem::path& path, Store& store, RunInfo& info,
                               ReadWatch* watch) {
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, ignored)) {
    return {RecordingProblem::CannotOpen, 0, "a readable file"};
  }
  return Reader(in, store, info, watch).read();
}

}  // namespace trace
