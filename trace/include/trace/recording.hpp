// SPDX-License-Identifier: MIT
// A run in a file: versioned header, zstd frames, readable when cut off anywhere. See trace/FORMAT.md.
// Recordings are untrusted: whatever is read from one is bounded and checked, and nothing in it is executed.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "trace/store.hpp"

namespace trace {

// Information about a run besides its events.
struct RunInfo {
  std::string lesson;                          // slug, or "" for a foreign program
  std::string program;                         // command line
  std::string driver;                          // "embedded" or "real"
  std::string driver_name;                     // e.g. "NVIDIA H200, driver 580.159, CUDA 13.0"
  std::string started;                         // ISO 8601, UTC
  std::string made_by;                         // "driverlab 1.2.3", or "" in older recordings
  std::map<std::string, std::string> sources;  // file name as in Event::file -> text, at the time of the run
};

// What a recording may contain at most, so that a foreign file cannot keep its reader busy for ever. The
// writer has the same limits, so that every file that it writes can be read. Tests use lower limits.
struct RecordingLimits {
  std::uint64_t events = 20'000'000;
  std::uint64_t memory = 0;                // bytes of a reader; 0: half of this machine's memory
  std::uint64_t plain_bytes = 1u << 30;    // of all chunks, unpacked
  std::uint64_t texts = 1 << 20;           // that have numbers; other texts are stored with their events
  std::uint64_t shapes = 1 << 14;          // functions with their parameters
  std::uint64_t sources = 4096;            // files
  std::uint64_t source_bytes = 60u << 20;  // of all of them; they fit into one chunk
};

// TooLarge: the recording may be complete, but it needs more memory than RecordingLimits allows. For a stream
// it also means more events than allowed.
enum class RecordingProblem {
  None,
  CannotOpen,
  NotARecording,
  NewerVersion,
  CutOff,
  Damaged,
  TooLarge,
  CannotWrite
};

class RecordingWriter {
 public:
  // Writes as trace/saved_file.hpp does: to a temporary name beside `path`, which finish() renames.
  static std::unique_ptr<RecordingWriter> create(const std::filesystem::path& path, const RunInfo& info,
                                                 std::string* error, const RecordingLimits& limits = {});
  ~RecordingWriter();                                                // without finish(): discards
  bool write(const Store& store, std::size_t from, std::size_t to);  // events [from, to)
  // Sources that are known only together with the events: the calls of a foreign program name its files.
  bool add_sources(const std::map<std::string, std::string>& sources);
  bool finish();
  // Instead of finish(): removes the temporary file. Nothing can be written after it.
  void discard();
  // Instead of discard(), after a failed write: the complete chunks stay in a recording that is cut off, next
  // to `path` (SavedFile::keep_cut). If they contain no call, the file is removed and the result is empty.
  std::filesystem::path keep_cut();
  std::uint64_t calls_written() const;             // that keep_cut() would keep
  const std::filesystem::path& temporary() const;  // until finish()
  int error() const;                               // errno of the failure, else 0
  // Calls that did not fit any more. The recording itself reports them, in a Lost event before its end.
  std::uint64_t left_out() const;
  std::uint64_t output_left_out() const;  // the same for output, in bytes; only the writer knows

 private:
  friend class RecordingStream;
  RecordingWriter();
  bool begin(const RunInfo& info);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct RecordingResult {
  RecordingProblem problem = RecordingProblem::None;  // CutOff and Damaged: the store has what could be read
  std::uint64_t offset = 0;                           // where reading stopped
  std::string detail;                                 // what was expected there, in English, for logs
};
// Progress of a recording that another thread reads, and its cancellation.
struct ReadWatch {
  std::atomic<std::uint64_t> bytes = 0;  // of the file, read so far
  std::atomic<bool> cancel = false;      // reading then ends before the next chunk, as CutOff
};
// Whether a file begins like a recording that this program reads. Of what is no plain file, nothing is known
// yet.
RecordingResult begins_as_recording(const std::filesystem::path& path);
// Reads into an empty store. On CutOff and Damaged, the events before that place are kept.
RecordingResult read_recording(const std::filesystem::path& path, Store& store, RunInfo& info,
                               ReadWatch* watch = nullptr);

}  // namespace trace
