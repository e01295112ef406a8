// SPDX-License-Identifier: MIT
// See lab/share.hpp.
#include "lab/share.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "base/spawn.hpp"
#include "lab/discretion.hpp"
#include "lab/recording.hpp"
#include "trace/saved_file.hpp"

namespace lab {
namespace {

constexpr std::size_t kWrittenAtOnce = 20'000;  // events between two looks at cancel()
constexpr double kLongest = 3600;               // seconds an export may take

bool read_number(std::string_view text, std::size_t& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

// The last line of an output, without the line end.
std::string last_line_of(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

ShareJob::ShareJob(ShareRequest request) : request_(std::move(request)) {
  thread_ = std::thread([this] {
    work();
    done_ = true;
  });
}

ShareJob::~ShareJob() {
  cancel_ = true;
  if (thread_.joinable()) thread_.join();
}

void ShareJob::fail(std::string reason) {
  outcome_ = {Text::ShareFailed, {request_.output.string(), std::move(reason)}};
}

bool ShareJob::write_discreetly(trace::RecordingWriter& writer, std::size_t from, std::size_t to) {
  trace::Store copy;
  copy_discreetly(*request_.store, from, to, copy);
  return writer.write(copy, 0, copy.size());
}

// Reads as far as possible: that part is shown.
bool ShareJob::read_recording() {
  const trace::RecordingResult result = trace::read_recording(request_.recording, read_, request_.info);
  if (const auto problem = problem_of(result, request_.recording, read_.size()); problem && read_.size() == 0)
    return outcome_ = *problem, false;
  request_.store = &read_;
  request_.recording.clear();
  return true;
}

bool ShareJob::write_recording(const std::filesystem::path& path) {
  std::string error;
  if (!request_.whole) leave_out_private(request_.info);
  const auto writer = trace::RecordingWriter::create(path, request_.info, &error);
  if (!writer) return fail(error), false;
  const std::size_t size = request_.store->size();
  bool good = true;
  for (std::size_t from = 0; good && from < size && !cancel_; from += kWrittenAtOnce)
    good = request_.whole ? writer->write(*request_.store, from, std::min(size, from + kWrittenAtOnce))
                          : write_discreetly(*writer, from, std::min(size, from + kWrittenAtOnce));
  const bool cancelled = cancel_;
  if (good && !cancelled && writer->finish()) return true;
  if (!good || !cancelled) fail(std::error_code(writer->error(), std::generic_category()).message());
  return false;
}

// "12/120" after each picture.
void ShareJob::hear(std::string_view output) {
  while (!output.empty() && output.back() != '\n') output.remove_suffix(1);
  if (output.empty()) return;
  output.remove_suffix(1);
  const std::string_view line = output.substr(output.rfind('\n') + 1);
  const std::size_t slash = line.find('/');
  if (slash == std::string_view::npos) return;
  std::size_t drawn = 0, all = 0;
  if (!read_number(line.substr(0, slash), drawn) || !read_number(line.substr(slash + 1), all)) return;
  all_ = all, drawn_ = drawn;
}

void ShareJob::draw(const std::filesystem::path& recording) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  SpawnRequest request;
  // Private information has already been removed from it.
  request.arguments = {program.string(), "export",           request_.output.string(),
                       "--recording",    recording.string(), "--progress",
                       "--keep-paths",   "--from",           std::to_string(request_.from)};
  if (request_.to > 0)
    request.arguments.insert(request.arguments.end(), {"--to", std::to_string(request_.to)});
  request.arguments.insert(request.arguments.end(), request_.look.begin(), request_.look.end());
  request.environment = environment_with({"DRIVERLAB_UI_STATE"});
  RunOptions options;
  options.seconds = kLongest;
  options.cancel = &cancel_;
  options.heard = [this](std::string_view output) { hear(output); };
  const Finished finished = run_to_end(std::move(request), options);
  if (finished.cancelled) return;
  if (finished.start_error != 0)
    return fail(std::error_code(finished.start_error, std::generic_category()).message());
  // 1: the recording can be read only in part.
  const bool drawn = WIFEXITED(finished.status) && WEXITSTATUS(finished.status) <= 1;
  ok_ = drawn && std::filesystem::exists(request_.output, error);
  if (!ok_) fail(last_line_of(finished.output));
}

// A separate file next to the output, under a name that no other file has.
bool ShareJob::make_scratch(std::filesystem::path& path) {
  std::string name = path.string() + ".XXXXXX.trace";
  const FileDescriptor file(::mkostemps(name.data(), 6, O_CLOEXEC));
  if (!file) return fail(std::error_code(errno, std::generic_category()).message()), false;
  path = name;
  return true;
}

// Replaces the old file at once, so that there is never a partial copy instead of a whole recording.
bool ShareJob::copy(const std::filesystem::path& recording) {
  errno = 0;
  std::ifstream in(recording, std::ios::binary);
  const auto out = in ? trace::SavedFile::create(request_.output) : nullptr;
  std::string block(1 << 20, '\0');
  bool good = out != nullptr;
  while (good && !cancel_ && in.read(block.data(), static_cast<std::streamsize>(block.size())).gcount() > 0)
    good = out->write({block.data(), static_cast<std::size_t>(in.gcount())});
  if (good && in.bad()) errno = EIO, good = false;
  if (good && !cancel_ && out->commit()) return true;
  if (!good || !cancel_)
    fail(std::error_code(out && out->error() != 0 ? out->error() : errno, std::generic_category()).message());
  return false;
}

void ShareJob::work() {
  std::error_code error;
  std::filesystem::create_directories(request_.output.parent_path(), error);
  if (!request_.recording.empty() && !request_.whole && !read_recording()) return;
  std::filesystem::path recording = request_.recording;
  const bool only_recording = request_.kind == ShareKind::Recording;
  if (recording.empty()) {
    recording = request_.output;
    if (!only_recording && !make_scratch(recording)) return;
    if (!write_recording(recording)) return;
    ok_ = only_recording;
  } else if (only_recording) {
    ok_ = copy(recording);
  }
  if (!only_recording) {
    draw(recording);
    if (request_.recording.empty()) std::filesystem::remove(recording, error);
  }
  if (ok_) outcome_ = {Text::ShareWritten, {request_.output.string()}};
}

}  // namespace lab
