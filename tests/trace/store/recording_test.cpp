// SPDX-License-Identifier: MIT
// Recordings: what is written is read back; what is cut off, damaged or made up is read as far as it goes.
#include "trace/recording.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zstd.h>

#include <csignal>
#include <fstream>
#include <random>
#include <sstream>

#include "bytes.hpp"
#include "columns.hpp"
#include "event_codec.hpp"
#include "events.hpp"
#include "recording_format.hpp"
#include "recording_reader.hpp"
#include "trace/recording_stream.hpp"

namespace trace::test {
namespace {

namespace fs = std::filesystem;

class Recording : public testing::Test {
 protected:
  Recording() {
    folder_ = fs::temp_directory_path() / ("driverlab_recording_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    info_.lesson = "context_stack";
    info_.program = "./context_stack --fast";
    info_.driver = "embedded";
    info_.driver_name = "Embedded GPU 0";
    info_.started = "2025-01-02T03:04:05Z";
    info_.made_by = "driverlab 1.2.3";
    info_.sources["main.cpp"] = "int main() {}\n";
    info_.sources["empty.cpp"] = "";
  }
  ~Recording() override { fs::remove_all(folder_); }

  fs::path write(const Store& store, std::size_t step) {
    const fs::path path = folder_ / "run.rec";
    std::string error;
    auto writer = RecordingWriter::create(path, info_, &error);
    EXPECT_NE(writer, nullptr) << error;
    for (std::size_t i = 0; i < store.size(); i += step) {
      EXPECT_TRUE(writer->write(store, i, std::min(i + step, store.size())));
    }
    EXPECT_FALSE(fs::exists(path));  // not before it is whole
    EXPECT_TRUE(writer->finish());
    return path;
  }
  static std::ptrdiff_t files_in(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), {});
  }
  static std::string bytes_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static RecordingResult read(const std::string& bytes, Store& store) {
    std::istringstream in(bytes);
    RunInfo info;
    return read_recording(in, store, info);
  }
  // The recording is whole, and has the events of `store`. Gives what else it says.
  static RunInfo read_back(const fs::path& path, const Store& store) {
    Store copy;
    RunInfo info;
    const RecordingResult result = read_recording(path, copy, info);
    EXPECT_EQ(result.problem, RecordingProblem::None) << result.detail;
    EXPECT_EQ(copy.size(), store.size());
    expect_prefix(copy, store);
    return info;
  }
  static void fill(Store& store, unsigned seed, int count) {
    RandomEvents random(seed);
    for (int i = 0; i < count; ++i) store.append(random.next());
  }
  static void expect_prefix(const Store& part, const Store& whole) {
    ASSERT_LE(part.size(), whole.size());
    for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(spell(part.at(i)), spell(whole.at(i)));
  }

  fs::path folder_;
  RunInfo info_;
};

TEST_F(Recording, gives_back_the_run_and_what_belongs_to_it) {
  Store store;
  fill(store, 1, 20'000);
  const RunInfo info = read_back(write(store, 777), store);
  EXPECT_EQ(info.lesson, info_.lesson);
  EXPECT_EQ(info.program, info_.program);
  EXPECT_EQ(info.driver, info_.driver);
  EXPECT_EQ(info.driver_name, info_.driver_name);
  EXPECT_EQ(info.started, info_.started);
  EXPECT_EQ(info.made_by, info_.made_by);
  EXPECT_EQ(info.sources, info_.sources);
}

TEST_F(Recording, sources_may_come_after_the_events_that_name_them) {
  Store store;
  fill(store, 3, 50);
  const fs::path path = folder_ / "later";
  std::string error;
  const auto writer = RecordingWriter::create(path, info_, &error);
  ASSERT_TRUE(writer) << error;
  ASSERT_TRUE(writer->write(store, 0, store.size()));
  ASSERT_TRUE(writer->add_sources({{"later.py", "print(1)\n"}, {"main.cpp", "// another\n"}}));
  ASSERT_TRUE(writer->finish());
  const RunInfo info = read_back(path, store);
  EXPECT_EQ(info.program, info_.program);
  EXPECT_EQ(info.sources.at("later.py"), "print(1)\n");
  EXPECT_EQ(info.sources.at("main.cpp"), "// another\n");
  EXPECT_EQ(info.sources.size(), info_.sources.size() + 1);
}

TEST_F(Recording, cut_off_at_any_byte_keeps_the_events_before) {
  Store store;
  fill(store, 2, 40);
  std::string bytes;
  {  // several chunks: each writer flushes what it has when it goes
    const fs::path path = write(store, 40);
    bytes = bytes_of(path);
  }
  std::size_t most = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Store part;
    const RecordingResult result = read(bytes.substr(0, length), part);
    const auto expected =
        length < format::kMagic.size() ? RecordingProblem::NotARecording : RecordingProblem::CutOff;
    ASSERT_EQ(result.problem, expected) << "at byte " << length;
    ASSERT_LE(result.offset, length);
    expect_prefix(part, store);
    most = std::max(most, part.size());
  }
  EXPECT_EQ(most, store.size());  // with only the end missing, every event is there
}

TEST_F(Recording, a_long_run_cut_in_the_middle_keeps_its_whole_chunks) {
  Store store;
  fill(store, 3, 30'000);
  const std::string bytes = bytes_of(write(store, 1000));
  Store part;
  EXPECT_EQ(read(bytes.substr(0, bytes.size() * 3 / 4), part).problem, RecordingProblem::CutOff);
  EXPECT_GT(part.size(), store.size() / 4);
  expect_prefix(part, store);
}

TEST_F(Recording, a_changed_byte_is_noticed_wherever_it_is) {
  Store store;
  fill(store, 4, 30);
  const std::string bytes = bytes_of(write(store, 30));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i >= 10 && i < format::kFileHeader) continue;  // minor version and reserved: readers skip them
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    Store part;
    ASSERT_NE(read(changed, part).problem, RecordingProblem::None) << "at byte " << i;
    expect_prefix(part, store);
  }
}

TEST_F(Recording, a_writer_that_is_killed_leaves_a_readable_part_under_another_name) {
  Store store;
  fill(store, 5, 20'000);  // of which whole chunks are in the file
  const fs::path path = folder_ / "unfinished.rec", left = folder_ / "left.rec";
  auto writer = RecordingWriter::create(path, info_, nullptr);
  ASSERT_TRUE(writer->write(store, 0, store.size()));
  EXPECT_NE(writer->temporary(), path);
  EXPECT_FALSE(fs::exists(path));
  fs::copy_file(writer->temporary(), left);  // its contents if the process died here
  Store part;
  RunInfo info;
  EXPECT_EQ(read_recording(left, part, info).problem, RecordingProblem::CutOff);
  EXPECT_GT(part.size(), 0);
  expect_prefix(part, store);
}

TEST_F(Recording, a_writer_that_is_left_unfinished_leaves_nothing) {
  Store store;
  fill(store, 5, 100);
  {
    auto writer = RecordingWriter::create(folder_ / "unfinished.rec", info_, nullptr);
    ASSERT_TRUE(writer->write(store, 0, store.size()));
    EXPECT_EQ(files_in(folder_), 1);
  }
  EXPECT_EQ(files_in(folder_), 0);
}

TEST_F(Recording, an_old_file_stays_until_the_new_one_is_whole) {
  Store store;
  fill(store, 6, 10);
  const fs::path path = write(store, 10);
  const std::string old = bytes_of(path);
  fill(store, 7, 10);
  auto writer = RecordingWriter::create(path, info_, nullptr);
  ASSERT_TRUE(writer->write(store, 0, store.size()));
  EXPECT_EQ(bytes_of(path), old);
  ASSERT_TRUE(writer->finish());
  EXPECT_NE(bytes_of(path), old);
}

TEST_F(Recording, a_writer_that_discards_leaves_the_old_file_and_nothing_else) {
  Store store;
  fill(store, 8, 10);
  const fs::path path = write(store, 10);
  const std::string old = bytes_of(path);
  {
    auto writer = RecordingWriter::create(path, info_, nullptr);
    ASSERT_TRUE(writer->write(store, 0, store.size()));
    EXPECT_TRUE(fs::exists(writer->temporary()));
    writer->discard();
    EXPECT_EQ(files_in(folder_), 1);
    EXPECT_FALSE(writer->write(store, 0, store.size()));
  }
  EXPECT_EQ(files_in(folder_), 1);
  EXPECT_EQ(bytes_of(path), old);
}

// Files may not grow beyond this while it lives, as on a disk that is full.
class LowRoom {
 public:
  explicit LowRoom(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit low{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &low);
  }
  LowRoom(const LowRoom&) = delete;
  LowRoom& operator=(const LowRoom&) = delete;
  ~LowRoom() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  rlimit limit_ = {};
};

TEST_F(Recording, what_was_written_before_the_disk_was_full_stays_as_a_cut_recording_beside_the_old_one) {
  Store store;
  fill(store, 9, 60'000);
  const fs::path path = folder_ / "run.rec";
  std::ofstream(path) << "of last week";
  std::uintmax_t whole = 0;
  {
    auto writer = RecordingWriter::create(folder_ / "whole.rec", info_, nullptr);
    ASSERT_TRUE(writer->write(store, 0, store.size()) && writer->finish());
    whole = fs::file_size(folder_ / "whole.rec");
  }
  for (const char* name : {"run.cut.rec", "run.cut-2.rec", "run.cut-3.rec"}) {
    auto writer = RecordingWriter::create(path, info_, nullptr);
    {
      const LowRoom low(whole * 2 / 3);
      EXPECT_FALSE(writer->write(store, 0, store.size()) && writer->finish());
    }
    EXPECT_EQ(writer->error(), EFBIG);
    const std::uint64_t calls = writer->calls_written();
    EXPECT_GT(calls, 0u);
    EXPECT_LT(calls, store.calls());
    EXPECT_EQ(writer->keep_cut(), folder_ / name);
    EXPECT_EQ(writer->keep_cut(), fs::path());
    writer.reset();
    Store part;
    RunInfo info;
    const RecordingResult result = read_recording(folder_ / name, part, info);
    EXPECT_EQ(result.problem, RecordingProblem::CutOff);
    EXPECT_EQ(result.offset, fs::file_size(folder_ / name)) << "it ends with a whole chunk";
    EXPECT_EQ(part.calls(), calls);
    EXPECT_EQ(info.program, info_.program);
    expect_prefix(part, store);
  }
  EXPECT_EQ(bytes_of(path), "of last week");
  EXPECT_EQ(files_in(folder_), 5);
}

TEST_F(Recording, of_a_short_run_a_part_stays_too_when_the_disk_is_full) {
  Store store;
  fill(store, 9, 1000);
  {
    auto writer = RecordingWriter::create(folder_ / "whole.rec", info_, nullptr);
    ASSERT_TRUE(writer->write(store, 0, store.size()) && writer->finish());
  }
  auto writer = RecordingWriter::create(folder_ / "run.rec", info_, nullptr);
  {
    const LowRoom low(fs::file_size(folder_ / "whole.rec") * 2 / 3);
    EXPECT_FALSE(writer->write(store, 0, store.size()) && writer->finish());
  }
  EXPECT_GT(writer->calls_written(), store.calls() / 4);
  ASSERT_EQ(writer->keep_cut(), folder_ / "run.cut.rec");
  Store part;
  RunInfo info;
  EXPECT_EQ(read_recording(folder_ / "run.cut.rec", part, info).problem, RecordingProblem::CutOff);
  EXPECT_EQ(part.calls(), writer->calls_written());
  expect_prefix(part, store);
}

TEST_F(Recording, a_recording_into_which_no_call_was_written_leaves_nothing) {
  Store store;
  fill(store, 9, 1000);
  auto writer = RecordingWriter::create(folder_ / "run.rec", info_, nullptr);
  {
    const LowRoom low(200);
    EXPECT_FALSE(writer->write(store, 0, store.size()) && writer->finish());
  }
  EXPECT_EQ(writer->calls_written(), 0u);
  EXPECT_EQ(writer->keep_cut(), fs::path());
  EXPECT_EQ(files_in(folder_), 0);
}

TEST_F(Recording, a_recording_that_is_whole_is_never_kept_as_cut) {
  Store store;
  fill(store, 9, 1000);
  auto writer = RecordingWriter::create(folder_ / "run.rec", info_, nullptr);
  ASSERT_TRUE(writer->write(store, 0, store.size()) && writer->finish());
  EXPECT_EQ(writer->keep_cut(), fs::path());
  EXPECT_EQ(files_in(folder_), 1);
}

TEST_F(Recording, says_why_it_cannot_write) {
  std::string error;
  EXPECT_EQ(RecordingWriter::create(folder_ / "no" / "such" / "folder", info_, &error), nullptr);
  EXPECT_FALSE(error.empty());
}

TEST_F(Recording, tells_other_files_apart) {
  Store store;
  RunInfo info;
  EXPECT_EQ(read_recording(folder_ / "missing", store, info).problem, RecordingProblem::CannotOpen);
  EXPECT_EQ(read_recording(folder_, store, info).problem, RecordingProblem::CannotOpen);
  EXPECT_EQ(read("", store).problem, RecordingProblem::NotARecording);
  EXPECT_EQ(read("#!/bin/sh\necho no\n", store).problem, RecordingProblem::NotARecording);
  std::string header("DLABREC\n\5\0\0\0\0\0\0\0", 16);
  EXPECT_EQ(read(header, store).problem, RecordingProblem::NewerVersion);
}

std::string chunk(std::uint32_t kind, const std::string& plain, std::uint32_t claimed) {
  std::vector<std::uint8_t> packed(ZSTD_compressBound(plain.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1));
  std::uint8_t header[format::kChunkHeader];
  format::put32(header, format::kChunkMark);
  format::put32(header + 4, kind);
  format::put32(header + 8, static_cast<std::uint32_t>(packed.size()));
  format::put32(header + 12, claimed);
  format::put32(header + 16, format::check_of(std::span(header, 16), packed));
  return std::string(reinterpret_cast<char*>(header), sizeof header) +
         std::string(packed.begin(), packed.end());
}

const std::string kHeader("DLABREC\n\1\0\0\0\0\0\0\0", 16);

TEST_F(Recording, a_made_up_size_costs_no_memory) {
  Store store;
  EXPECT_EQ(read(kHeader + chunk(2, std::string(1000, '\0'), 0xfffffff0u), store).problem,
            RecordingProblem::Damaged);
  EXPECT_EQ(read(kHeader + chunk(2, std::string(1'000'000, '\0'), 100), store).problem,
            RecordingProblem::Damaged);  // unpacks to more than it says
}

TEST_F(Recording, made_up_contents_that_fit_their_check_are_refused) {
  ByteWriter no_shape;  // a call of function 7 of none
  no_shape.number(0);
  no_shape.number(0);
  no_shape.number(1);
  for (const int byte : {0, 0, 0, 0, 7, 0, 0, 0, 0}) no_shape.byte(static_cast<std::uint8_t>(byte));
  const auto as_chunk = [](const ByteWriter& w) {
    const std::string plain(reinterpret_cast<const char*>(w.data()), w.size());
    return chunk(2, plain, static_cast<std::uint32_t>(plain.size()));
  };
  Store store;
  EXPECT_EQ(read(kHeader + as_chunk(no_shape), store).problem, RecordingProblem::Damaged);
  ByteWriter many;  // more events than bytes
  many.number(0);
  many.number(0);
  many.number(1'000'000'000);
  EXPECT_EQ(read(kHeader + as_chunk(many), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(store.size(), 0u);
}

TEST_F(Recording, made_up_columns_are_refused_and_those_of_a_later_minor_version_skipped) {
  const auto as_chunk = [](const ByteWriter& w) {
    const std::string plain(reinterpret_cast<const char*>(w.data()), w.size());
    return chunk(4, plain, static_cast<std::uint32_t>(plain.size()));
  };
  // A thread that ends: in rows or columns, all fields are 0 but the kind.
  const auto columns = [](std::uint64_t events, std::uint64_t count, std::uint64_t first_size) {
    ByteWriter out;
    out.number(0);
    out.number(0);
    out.number(events);
    out.number(count);
    for (std::uint64_t i = 0; i < count; ++i) out.number(i == 0 ? first_size : 1);
    out.byte(static_cast<std::uint8_t>(EventKind::ThreadEnd));
    for (std::uint64_t i = 1; i < count; ++i) out.byte(0);
    return out;
  };
  Store good;
  read(kHeader + as_chunk(columns(1, kColumns, 1)), good);
  EXPECT_EQ(good.size(), 1u);
  read(kHeader + as_chunk(columns(1, kColumns + 2, 1)), good);
  EXPECT_EQ(good.size(), 2u);
  Store store;
  EXPECT_EQ(read(kHeader + as_chunk(columns(1'000'000'000, kColumns, 1)), store).problem,
            RecordingProblem::Damaged);
  const std::size_t kept = store.size();  // those before the first that lacks something
  EXPECT_LE(kept, 1u);
  EXPECT_EQ(read(kHeader + as_chunk(columns(1, kColumns, ~std::uint64_t{0})), store).problem,
            RecordingProblem::Damaged);
  EXPECT_EQ(read(kHeader + as_chunk(columns(1, 2, 1)), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(read(kHeader + as_chunk(columns(1, 1'000'000, 1)), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(store.size(), kept);
}

TEST_F(Recording, a_chunk_of_a_later_minor_version_is_skipped) {
  Store store;
  ByteWriter end;
  end.number(0);
  const std::string plain(reinterpret_cast<const char*>(end.data()), end.size());
  const RecordingResult result = read(
      kHeader + chunk(77, "who knows", 9) + chunk(3, plain, static_cast<std::uint32_t>(plain.size())), store);
  EXPECT_EQ(result.problem, RecordingProblem::None) << result.detail;
}

// Recorded on an H200 by a lab that wrote version 1, and kept as it was.
TEST_F(Recording, a_file_of_version_1_is_read_whole_and_knows_of_no_nesting) {
  const std::string bytes = bytes_of(fs::path(RECORDINGS_FOLDER) / "version_1.dlrec");
  ASSERT_GT(bytes.size(), 16u);
  ASSERT_EQ(bytes[8], 1);
  Store store;
  EXPECT_EQ(read(bytes, store).problem, RecordingProblem::None);
  EXPECT_GT(store.calls(), 30u);
  for (std::size_t i = 0; i < store.size(); ++i) {
    EXPECT_EQ(store.at(i).depth, 0u);
    EXPECT_EQ(store.at(i).inside, "");
  }
}

// Each was written by a lab of that time: on an H200, and with call stacks.
TEST_F(Recording, files_of_versions_2_and_3_are_read_whole) {
  for (const int version : {2, 3}) {
    const std::string name = "version_" + std::to_string(version) + ".dlrec";
    const std::string bytes = bytes_of(fs::path(RECORDINGS_FOLDER) / name);
    ASSERT_GT(bytes.size(), 16u);
    ASSERT_EQ(bytes[8], version);
    Store store;
    EXPECT_EQ(read(bytes, store).problem, RecordingProblem::None) << name;
    EXPECT_GT(store.calls(), 8u) << name;
    std::size_t stacks = 0;
    for (std::size_t i = 0; i < store.size(); ++i) stacks += store.kind_at(i) == EventKind::Stack ? 1 : 0;
    EXPECT_EQ(stacks > 0, version == 3) << name;
  }
}

TEST_F(Recording, calls_that_resemble_each_other_take_few_bytes) {
  Store store;
  std::mt19937_64 random(3);
  constexpr std::size_t calls = 500;
  Event event;
  event.kind = EventKind::Call;
  event.name = "cuGetProcAddress", event.symbol = "cuGetProcAddress_v2";
  event.arguments.resize(3);
  event.arguments[0].kind = ValueKind::String, event.arguments[1].kind = ValueKind::HostPointer;
  event.arguments[2].kind = ValueKind::Unsigned;
  for (std::size_t i = 0; i < calls; ++i) {
    event.t_ns += 500 + random() % 200;
    event.dur_ns = 400 + random() % 100;
    event.address = 0x7fab'4c01'2345 + i * 45;
    event.arguments[0].word = 0x7fab'4d01'0000 + i * 24,
    event.arguments[0].text = "cuFunction" + std::to_string(i);
    event.arguments[1].word = 0x7fff'1234'5678,
    event.arguments[1].out = 0x7fab'9000'0000 + random() % 65536 * 16;
    event.arguments[2].word = 11000 + i % 3 * 1000;
    store.append(event);
  }
  const fs::path path = folder_ / "small.dlrec";
  auto writer = RecordingWriter::create(path, {}, nullptr);
  ASSERT_NE(writer, nullptr);
  ASSERT_TRUE(writer->write(store, 0, store.size()) && writer->finish());
  EXPECT_LT(fs::file_size(path), 16 * calls);  // one after another they took 23 each
}

// What a writer with few of everything wrote, read by a reader with as few.
struct Limited {
  Limited(const fs::path& folder, const Store& store, const RecordingLimits& limits,
          const RunInfo& about = {}, const std::map<std::string, std::string>& more = {}) {
    const fs::path path = folder / "limited.dlrec";
    const auto writer = RecordingWriter::create(path, about, nullptr, limits);
    for (std::size_t i = 0; i < store.size(); i += 100)
      EXPECT_TRUE(writer->write(store, i, std::min(i + 100, store.size())));
    if (!more.empty()) {
      EXPECT_TRUE(writer->add_sources(more));
    }
    EXPECT_TRUE(writer->finish());
    left_out = writer->left_out();
    std::ifstream in(path, std::ios::binary);
    result = read_recording(in, events, info, limits);
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events.kind_at(i) == EventKind::Lost) lost += events.at(i).number;
  }
  Store events;
  RunInfo info;
  RecordingResult result;
  std::uint64_t left_out = 0, lost = 0;
};

Event simple_call(std::uint64_t i) {
  Event event;
  event.kind = EventKind::Call;
  event.name = event.symbol = "cuStreamCreate";
  event.t_ns = 10 * i;
  event.arguments.resize(1);
  event.arguments[0].name = "Flags", event.arguments[0].kind = ValueKind::Flags;
  event.arguments[0].word = i, event.arguments[0].text = "0x" + std::to_string(i);
  return event;
}

void fill_with_calls(Store& store, std::size_t calls) {
  for (std::size_t i = 0; i < calls; ++i) store.append(simple_call(i));
  Event end;
  end.kind = EventKind::ProcessEnd, end.number = 7;
  store.append(end);
}

TEST_F(Recording, of_more_calls_than_fit_the_first_are_kept_and_the_others_counted) {
  Store store;
  fill_with_calls(store, 3000);
  RecordingLimits limits;
  limits.events = 1000;
  const Limited it(folder_, store, limits);
  EXPECT_EQ(it.result.problem, RecordingProblem::None) << it.result.detail;
  EXPECT_LE(it.events.size(), 1000u);
  EXPECT_GT(it.events.calls(), 900u);
  EXPECT_EQ(it.events.calls() + it.lost, 3000u);
  EXPECT_EQ(it.left_out, it.lost);
  const Event last = it.events.at(it.events.size() - 1);
  EXPECT_EQ(last.kind, EventKind::ProcessEnd);
  EXPECT_EQ(last.number, 7u);
}

TEST_F(Recording, calls_that_fit_are_all_kept) {
  Store store;
  fill_with_calls(store, 900);
  RecordingLimits limits;
  limits.events = 1000;
  const Limited it(folder_, store, limits);
  EXPECT_EQ(it.result.problem, RecordingProblem::None);
  EXPECT_EQ(it.events.calls(), 900u);
  EXPECT_EQ(it.left_out + it.lost, 0u);
}

TEST_F(Recording, of_more_bytes_than_fit_the_first_are_kept_and_the_calls_of_the_others_counted) {
  Store store;
  std::mt19937 random(1);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Event event = simple_call(i);
    event.arguments[0].kind = ValueKind::String;
    event.arguments[0].text = std::string(1000, static_cast<char>('a' + random() % 26));
    store.append(event);
  }
  RecordingLimits limits;
  limits.plain_bytes = 1 << 20;
  const Limited it(folder_, store, limits, {}, {{"main.cpp", std::string(50'000, 'x')}});
  EXPECT_EQ(it.result.problem, RecordingProblem::None) << it.result.detail;
  EXPECT_GT(it.events.calls(), 800u);
  EXPECT_EQ(it.events.calls() + it.lost, 2000u);
  EXPECT_EQ(it.info.sources.at("main.cpp").size(), 50'000u);
}

TEST_F(Recording, texts_that_find_no_number_stand_with_their_calls) {
  Store store;
  fill_with_calls(store, 3000);
  RecordingLimits limits;
  limits.texts = 100;
  const Limited it(folder_, store, limits);
  EXPECT_EQ(it.result.problem, RecordingProblem::None) << it.result.detail;
  ASSERT_EQ(it.events.size(), store.size());
  for (std::size_t i = 0; i < store.size(); ++i) ASSERT_EQ(spell(it.events.at(i)), spell(store.at(i)));
}

TEST_F(Recording, of_more_functions_than_fit_the_calls_are_counted) {
  Store store;
  for (std::uint64_t i = 0; i < 100; ++i) {
    Event event = simple_call(i);
    event.arguments[0].name = intern("flags" + std::to_string(i));
    store.append(event);
  }
  RecordingLimits limits;
  limits.shapes = 40;
  const Limited it(folder_, store, limits);
  EXPECT_EQ(it.result.problem, RecordingProblem::None) << it.result.detail;
  EXPECT_EQ(it.events.calls(), 40u);
  EXPECT_EQ(it.lost, 60u);
}

TEST_F(Recording, of_more_sources_than_fit_the_first_are_kept) {
  RecordingLimits limits;
  limits.sources = 5, limits.source_bytes = 1000;
  std::map<std::string, std::string> more;
  for (int i = 0; i < 10; ++i) more["file" + std::to_string(i)] = std::string(i == 1 ? 5000 : 10, 'x');
  const Limited it(folder_, {}, limits, info_, more);
  EXPECT_EQ(it.result.problem, RecordingProblem::None) << it.result.detail;
  EXPECT_EQ(it.info.sources.size(), 5u);
  EXPECT_FALSE(it.info.sources.contains("file1"));
}

TEST_F(Recording, a_reader_with_fewer_of_everything_refuses_the_rest) {
  Store store;
  fill_with_calls(store, 900);
  const std::string bytes = bytes_of(write(store, 900));
  const auto read_with = [&](const RecordingLimits& limits) {
    std::istringstream in(bytes);
    Store part;
    RunInfo info;
    const RecordingResult result = read_recording(in, part, info, limits);
    EXPECT_LE(part.size(), 800u);
    return result.problem;
  };
  RecordingLimits limits;
  limits.events = 800;
  EXPECT_EQ(read_with(limits), RecordingProblem::Damaged);
  limits = {}, limits.texts = 800;
  EXPECT_EQ(read_with(limits), RecordingProblem::Damaged);
  limits = {}, limits.plain_bytes = 1000;
  EXPECT_EQ(read_with(limits), RecordingProblem::Damaged);
  limits = {}, limits.sources = 1;
  EXPECT_EQ(read_with(limits), RecordingProblem::Damaged);
}

// A stream may go on for ever; a few bytes of it may be many texts.
TEST_F(Recording, a_stream_is_taken_until_it_holds_too_much_and_says_so) {
  Store store, part;
  fill_with_calls(store, 900);
  RunInfo info;
  RecordingLimits limits;
  limits.memory = 8u << 20;
  RecordingFeed texts(part, info, limits);
  ByteWriter out;
  out.number(0);  // functions
  out.number(1);  // texts
  out.text(std::string(1 << 20, 'x'));
  out.number(0);  // events
  const std::string plain(reinterpret_cast<const char*>(out.data()), out.size());
  const std::string one = chunk(2, plain, static_cast<std::uint32_t>(plain.size()));
  EXPECT_EQ(texts.feed(kHeader + one).problem, RecordingProblem::None);
  RecordingResult result;
  for (int i = 0; i < 10 && result.problem == RecordingProblem::None; ++i) result = texts.feed(one);
  EXPECT_EQ(result.problem, RecordingProblem::TooLarge);

  Store again;
  limits = {}, limits.events = 800;
  EXPECT_EQ(RecordingFeed(again, info, limits).feed(RecordingStream(info).take(store, 0, 900)).problem,
            RecordingProblem::TooLarge);
  EXPECT_EQ(again.size(), 800u);
  Store whole;
  limits.events = 900;
  EXPECT_EQ(RecordingFeed(whole, info, limits).feed(RecordingStream(info).take(store, 0, 900)).problem,
            RecordingProblem::None);
}

// A few bytes for each argument, and a long text again and again: 1 KB of file took 4 GB.
TEST_F(Recording, a_long_text_is_not_given_by_number_to_arguments_or_as_a_path) {
  const auto file_with = [](std::size_t text_bytes, bool as_path) {
    ByteWriter out;
    out.number(1);  // a function of one parameter
    out.text("f");
    out.text("f");
    out.number(1);
    for (int i = 0; i < 3; ++i) out.text("p");
    out.byte(static_cast<std::uint8_t>(Role::In));
    out.byte(static_cast<std::uint8_t>(ValueKind::Flags));
    out.number(1);
    out.text(std::string(text_bytes, 'x'));
    out.number(1);
    // kind, thread, time, result, shape, process, duration, flags of the call, address
    for (const int byte : {0, 0, 0, 0, 0, 0, 0, as_path ? 5 : 1, 0})
      out.byte(static_cast<std::uint8_t>(byte));
    if (as_path) out.number(1), out.number(1);  // file, line
    out.byte(as_path ? 0 : 12), out.number(1);  // flags of the argument, word
    if (!as_path) out.number(1);                // its text
    const std::string plain(reinterpret_cast<const char*>(out.data()), out.size());
    return kHeader + chunk(2, plain, static_cast<std::uint32_t>(plain.size()));
  };
  Store store;
  EXPECT_EQ(read(file_with(64, false), store).problem, RecordingProblem::CutOff);
  EXPECT_EQ(read(file_with(4096, true), store).problem, RecordingProblem::CutOff);
  ASSERT_EQ(store.size(), 2u);
  EXPECT_EQ(store.at(0).arguments[0].text.size(), 64u);
  EXPECT_EQ(store.at(1).file.size(), 4096u);
  EXPECT_EQ(read(file_with(65, false), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(read(file_with(4097, true), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(store.size(), 2u);
}

TEST_F(Recording, gives_back_when_work_ran_and_the_same_events_as_without) {
  Store plain, timed;
  for (Store* store : {&plain, &timed})
    for (std::uint64_t i = 0; i < 3; ++i) store->append(RandomEvents(static_cast<unsigned>(i)).next());
  const WorkTime times[] = {
      {3, 500, 700, 900}, {0, 100, 100, 100}, {3, 1'000'000'000'000, 1'000'000'000'001, ~0ull}};
  for (const WorkTime& time : times) timed.append(time);
  const auto written = [&](const Store& store) {
    const fs::path path = write(store, 2);
    std::string bytes = bytes_of(path);
    fs::remove(path);
    return bytes;
  };
  const std::string without = written(plain), with = written(timed);
  Store back, none;
  EXPECT_EQ(read(with, back).problem, RecordingProblem::None);
  ASSERT_EQ(back.work_times(), std::size(times));
  for (std::size_t i = 0; i < std::size(times); ++i) EXPECT_EQ(back.work_time_at(i), times[i]);
  EXPECT_EQ(back.size(), timed.size());
  EXPECT_EQ(read(without, none).problem, RecordingProblem::None);
  EXPECT_EQ(none.work_times(), 0u);
  EXPECT_LT(without.size(), with.size());
}

TEST_F(Recording, made_up_times_of_work_are_refused) {
  const auto as_chunk = [](std::uint64_t count, std::uint64_t took) {
    ByteWriter out;
    out.number(count);
    out.number(0);
    out.signed_number(5);
    out.number(1);
    out.number(took);
    const std::string plain(reinterpret_cast<const char*>(out.data()), out.size());
    return kHeader + chunk(5, plain, static_cast<std::uint32_t>(plain.size()));
  };
  Store store;
  EXPECT_EQ(read(as_chunk(1, 7), store).problem, RecordingProblem::CutOff);
  ASSERT_EQ(store.work_times(), 1u);
  EXPECT_EQ(store.work_time_at(0), (WorkTime{0, 5, 6, 13}));
  EXPECT_EQ(read(as_chunk(1, ~std::uint64_t{0}), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(read(as_chunk(2, 7), store).problem, RecordingProblem::Damaged);
  EXPECT_EQ(read(as_chunk(1'000'000'000, 7), store).problem, RecordingProblem::Damaged);
}

}  // namespace
}  // namespace trace::test
