// SPDX-License-Identifier: MIT
// See log.hpp: how a line looks, and where it goes.
#include "core/log.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

#include "core/boundary.hpp"
#include "core/of_thread.hpp"

namespace driver {
namespace {

// What a thread knows of the call that it is in.
struct Reason {
  CUresult error = CUDA_SUCCESS;
  std::string text;
  bool listening = false;  // a callback of the program runs, which hears nothing of its own calls
};

// [time][thread][CUDA][E] message
std::string line_of(const std::string& message) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  char begin[96];
  std::snprintf(begin, sizeof begin, "[%02d:%02d:%02d.%03d][%lu][CUDA][E] ", local.tm_hour, local.tm_min,
                local.tm_sec, static_cast<int>(since % 1000), static_cast<unsigned long>(pthread_self()));
  return begin + message + '\n';
}

}  // namespace

CUresult refuse(CUresult error, std::string_view reason) noexcept try {
  Reason& known = OfThread<Reason>::get();
  known.text = reason;
  known.error = error;
  return error;
} catch (...) {
  return error;  // without memory for the reason there is none
}

CUresult no_current_context() {
  return refuse(CUDA_ERROR_INVALID_CONTEXT, "No CUDA context is current to the calling thread");
}

CUresult no_such_device(std::string_view parameter, int device_count) {
  return refuse(CUDA_ERROR_INVALID_DEVICE, "Parameter " + std::string(parameter) + " must be between 0 and " +
                                               std::to_string(device_count));
}

CUresult failed(CUresult error, const char* function) noexcept try {
  Log::get().failed(error, function);
  return error;
} catch (...) {
  return error;  // without memory for a line there is none
}

// The child of a fork finds the lock free: its calls fail, and say so here.
Log::Log() {
  pthread_atfork([] { get().lock_.lock(); }, [] { get().lock_.unlock(); }, [] { get().lock_.unlock(); });
}

Log& Log::get() {
  static auto* const log = new Log;  // leaked: threads may be in a call at the end of the process
  return *log;
}

void Log::failed(CUresult error, std::string_view function) {
  // Measured: neither is noted (truth logs_no_init, logs_not_ready).
  if (error == CUDA_ERROR_NOT_INITIALIZED || error == CUDA_ERROR_NOT_READY) return;
  Reason& known = OfThread<Reason>::get();
  const std::string reason = std::exchange(known.text, {});
  if (known.error == error && !reason.empty()) add_lines(reason);
  const char* name = nullptr;
  cuGetErrorName(error, &name);
  add("Returning " + std::to_string(error) + " (" + (name != nullptr ? name : "?") + ") from " +
      std::string(function));
}

// Some reasons are two lines (truth logs_module, step 11).
void Log::add_lines(std::string_view reason) {
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = reason.find('\n');
    add(std::string(reason.substr(0, end)));
    reason.remove_prefix(end == std::string_view::npos ? reason.size() : end + 1);
  }
}

void Log::add(const std::string& message) {
  const std::string line = line_of(message);
  std::vector<Listener> hearing;
  {
    const std::lock_guard lock(lock_);
    lines_.push_back(line);
    if (lines_.size() > kMostLines) {
      lines_.pop_front();
      ++dropped_;
    }
    write_to_file(line);
    hearing.assign(listeners_.begin(), listeners_.end());
  }
  Reason& known = OfThread<Reason>::get();
  if (known.listening) return;
  known.listening = true;
  for (const Listener& listener : hearing) {
    std::string text = message;  // the program may change it
    listener.callback(listener.data, CU_LOG_LEVEL_ERROR, text.data(), text.size());
  }
  known.listening = false;
}

void Log::write_to_file(const std::string& line) {
  static std::FILE* const file = [] {
    const char* const name = std::getenv("CUDA_LOG_FILE");
    if (name == nullptr || *name == '\0') return static_cast<std::FILE*>(nullptr);
    if (std::string_view(name) == "stdout") return stdout;
    if (std::string_view(name) == "stderr") return stderr;
    return std::fopen(name, "we");
  }();
  if (file == nullptr) return;
  std::fwrite(line.data(), 1, line.size(), file);
  std::fflush(file);
}

CUlogsCallbackHandle Log::listen(CUlogsCallback callback, void* data) {
  const std::lock_guard lock(lock_);
  return reinterpret_cast<CUlogsCallbackHandle>(&listeners_.emplace_back(callback, data));
}

bool Log::unlisten(CUlogsCallbackHandle handle) {
  const std::lock_guard lock(lock_);
  const auto found = std::find_if(listeners_.begin(), listeners_.end(), [handle](const Listener& listener) {
    return reinterpret_cast<CUlogsCallbackHandle>(const_cast<Listener*>(&listener)) == handle;
  });
  if (found == listeners_.end()) return false;
  listeners_.erase(found);
  return true;
}

CUlogIterator Log::end() const {
  const std::lock_guard lock(lock_);
  return dropped_ + static_cast<CUlogIterator>(lines_.size());
}

bool Log::read(CUlogIterator& from, std::size_t room, std::string& text) const {
  constexpr std::string_view kNotice =
      "Log buffer has rolled over since the previous dump. The oldest messages will be missing\n";
  const std::lock_guard lock(lock_);
  if (from > dropped_ + lines_.size()) return false;
  if (from < dropped_ && kNotice.size() <= room) text = kNotice;
  from = std::max(from, dropped_);
  for (; from - dropped_ < lines_.size(); ++from) {
    const std::string& line = lines_[from - dropped_];
    if (text.size() + line.size() > room) break;
    text += line;
  }
  return true;
}

}  // namespace driver
