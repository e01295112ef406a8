// SPDX-License-Identifier: MIT
// Writes a run into a file, chunk by chunk. Bytes: trace/FORMAT.md.
#include <fcntl.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "event_codec.hpp"
#include "recording_format.hpp"
#include "trace/recording.hpp"
#include "trace/recording_stream.hpp"

namespace trace {
namespace {

// The file's own texts: new ones are written in front of the events that use them.
class FileTexts final : public TextPool {
 public:
  std::uint64_t number_of(std::string_view text) override {
    if (text.empty()) return 0;
    const auto [place, fresh] = numbers_.try_emplace(std::string(text), numbers_.size() + 1);
    if (fresh) {
      added_.text(text);
      ++added_count_;
    }
    return place->second;
  }
  bool text_of(std::uint64_t, std::string_view&) const override { return false; }

  void take_added(ByteWriter& out) {
    out.number(added_count_);
    out.raw(added_.data(), added_.size());
    added_.clear();
    added_count_ = 0;
  }

 private:
  std::unordered_map<std::string, std::uint64_t> numbers_;
  ByteWriter added_;
  std::uint64_t added_count_ = 0;
};

void write_sources(ByteWriter& out, const std::map<std::string, std::string>& sources) {
  out.number(sources.size());
  for (const auto& [name, text] : sources) {
    out.text(name);
    out.text(text);
  }
}

}  // namespace

struct RecordingWriter::Impl {
  int file = -1;
  std::string* memory = nullptr;  // instead of a file
  std::filesystem::path path, temporary;
  bool failed = false, finished = false;
  std::uint64_t total = 0;

  FileTexts texts;
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> shape_numbers;
  std::vector<FunctionShape> shapes;
  std::size_t shapes_written = 0;
  ColumnWriter events;  // of the chunk being filled
  std::uint64_t count = 0;
  std::uint64_t last_time = 0;

  ~Impl() {
    if (file < 0) return;
    if (!finished) flush();
    ::close(file);
  }

  bool put(const void* data, std::size_t size) {
    if (memory != nullptr) {
      memory->append(static_cast<const char*>(data), size);
      return !failed;
    }
    const auto* at = static_cast<const std::uint8_t*>(data);
    while (size > 0 && !failed) {
      const ssize_t written = ::write(file, at, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        failed = true;
        break;
      }
      at += written;
      size -= static_cast<std::size_t>(written);
    }
    return !failed;
  }

  bool chunk(format::ChunkKind kind, const ByteWriter& plain) {
    if (failed || plain.size() > format::kMostPlainBytes) return !(failed = true);
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
    return put(header, sizeof header) && put(packed.data(), packed.size());
  }

  std::uint64_t shape_number(const Event& call) {
    auto& candidates = shape_numbers[hash_of_shape(call)];
    for (const std::uint64_t number : candidates) {
      if (has_shape(call, shapes[number])) return number;
    }
    shapes.push_back(shape_of(call));
    candidates.push_back(shapes.size() - 1);
    return shapes.size() - 1;
  }

  void add(const Event& event) {
    events.byte(Column::Kind, static_cast<std::uint8_t>(event.kind));
    events.number(Column::Thread, event.thread);
    events.signed_number(Column::Time, static_cast<std::int64_t>(event.t_ns - last_time));
    last_time = event.t_ns;
    if (event.kind == EventKind::Call) {
      events.signed_number(Column::Result, event.result);
      events.number(Column::Shape, shape_number(event));
    }
    write_body(events, event, texts);
    ++count;
  }

  bool flush() {
    if (count == 0) return !failed;
    ByteWriter plain;
    plain.number(shapes.size() - shapes_written);
    for (; shapes_written < shapes.size(); ++shapes_written) write_shape(plain, shapes[shapes_written]);
    texts.take_added(plain);
    plain.number(count);
    events.write(plain);
    total += count;
    count = 0;
    events.clear();
    return chunk(format::ChunkKind::Columns, plain);
  }
};

RecordingWriter::RecordingWriter() = default;
RecordingWriter::~RecordingWriter() = default;

std::unique_ptr<RecordingWriter> RecordingWriter::create(const std::filesystem::path& path,
                                                         const RunInfo& info, std::string* error) {
  std::unique_ptr<RecordingWriter> writer(new RecordingWriter);
  writer->impl_ = std::make_unique<Impl>();
  Impl& impl = *writer->impl_;
  impl.path = path;
  impl.temporary = path;
  impl.temporary += "." + std::to_string(getpid()) + ".part";
  impl.file = ::open(impl.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (impl.file < 0) {
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
  const std::pair<std::string_view, std::string_view> fields[] = {{"lesson", info.lesson},
                                                                  {"program", info.program},
                                                                  {"driver", info.driver},
                                                                  {"driver_name", info.driver_name},
                                                                  {"started", info.started}};
  plain.number(std::size(fields));
  for (const auto& [key, value] : fields) {
    plain.text(key);
    plain.text(value);
  }
  write_sources(plain, info.sources);
  return impl_->put(header, sizeof header) && impl_->chunk(format::ChunkKind::Info, plain);
}

bool RecordingWriter::add_sources(const std::map<std::string, std::string>& sources) {
  ByteWriter plain;
  plain.number(0);  // no fields
  write_sources(plain, sources);
  return impl_->flush() && impl_->chunk(format::ChunkKind::Info, plain);
}

bool RecordingWriter::write(const Store& store, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to && i < store.size(); ++i) {
    impl_->add(store.at(i));
    if (impl_->events.size() >= format::kFlushBytes && !impl_->flush()) return false;
  }
  return !impl_->failed;
}

bool RecordingWriter::finish() {
  if (impl_->finished) return !impl_->failed;
  bool good = impl_->flush();
  ByteWriter plain;
  plain.number(impl_->total);
  good = good && impl_->chunk(format::ChunkKind::End, plain);
  good = good && ::fsync(impl_->file) == 0;
  good = good && ::rename(impl_->temporary.c_str(), impl_->path.c_str()) == 0;
  impl_->finished = good;
  impl_->failed = !good;
  return good;
}

void RecordingWriter::discard() {
  if (impl_->finished) return;
  impl_->finished = impl_->failed = true;
  ::unlink(impl_->temporary.c_str());
}

RecordingStream::RecordingStream(const RunInfo& info) : writer_(new RecordingWriter) {
  writer_->impl_ = std::make_unique<RecordingWriter::Impl>();
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
