// Follows the store and hands each event on once. A file that cannot be written stops the writing with a
// sentence that names it, never silently.
#include "sinks.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace cli {

using T = lab::Text;

Sinks::Sinks(const Shell& shell, const SinkOptions& options, const trace::Store& store)
    : store_(store), model_(store), options_(options) {
  if (options.walk && options.events != "-") walk_.emplace(shell, model_, store, colour_wanted(1));
}

Sinks::~Sinks() {
  if (events_ != nullptr && events_ != stdout) std::fclose(events_);
}

lab::Result<std::unique_ptr<Sinks>> Sinks::open(const Shell& shell, const SinkOptions& options,
                                                const trace::Store& store, const trace::RunInfo& info) {
  std::unique_ptr<Sinks> sinks(new Sinks(shell, options, store));
  if (options.events == "-") {
    sinks->events_ = stdout;
  } else if (!options.events.empty()) {
    sinks->events_ = std::fopen(options.events.c_str(), "we");
    if (sinks->events_ == nullptr)
      return lab::problem(T::CliCannotWrite, {options.events, std::strerror(errno)});
  }
  if (!options.record.empty()) {
    std::string error;
    sinks->recording_ = trace::RecordingWriter::create(options.record, info, &error);
    if (!sinks->recording_) return lab::problem(T::CliCannotWrite, {options.record, error});
  }
  return sinks;
}

lab::Result<bool> Sinks::write_event(std::size_t event) {
  const std::string line = lab::event_json(model_, store_, event) + "\n";
  if (std::fwrite(line.data(), 1, line.size(), events_) == line.size()) return true;
  return lab::problem(T::CliCannotWrite, {options_.events, std::strerror(errno)});
}

lab::Result<bool> Sinks::take() {
  model_.follow();
  const std::size_t end = model_.moments();
  for (std::size_t event = taken_; event < end; ++event) {
    if (walk_) walk_->print(event);
    if (events_ == nullptr) continue;
    if (const lab::Result<bool> written = write_event(event); !written) return written;
  }
  if (recording_ && end > taken_ && !recording_->write(store_, taken_, end))
    return lab::problem(T::CliCannotWrite, {options_.record, std::strerror(errno)});
  taken_ = end;
  // Whoever watches the file sees each call as soon as it was made.
  if (events_ != nullptr) std::fflush(events_);
  std::fflush(stdout);
  return true;
}

lab::Result<bool> Sinks::finish() {
  if (const lab::Result<bool> taken = take(); !taken) return taken;
  if (events_ != nullptr && std::fflush(events_) != 0)
    return lab::problem(T::CliCannotWrite, {options_.events, std::strerror(errno)});
  if (recording_ && !recording_->finish())
    return lab::problem(T::CliCannotWrite, {options_.record, std::strerror(errno)});
  return true;
}

}  // namespace cli
