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
  for (const Table& table : tables_) std::fclose(table.file);
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
  if (const auto opened = sinks->open_table(options.csv, std::make_unique<lab::CsvExport>()); !opened)
    return tl::unexpected(opened.error());
  if (const auto opened = sinks->open_table(options.chrome, std::make_unique<lab::ChromeTraceExport>());
      !opened)
    return tl::unexpected(opened.error());
  if (!options.record.empty()) {
    std::string error;
    sinks->recording_ = trace::RecordingWriter::create(options.record, info, &error);
    if (!sinks->recording_) return lab::problem(T::CliCannotWrite, {options.record, error});
  }
  return sinks;
}

lab::Result<bool> Sinks::write(std::FILE* file, const std::string& path, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) == text.size()) return true;
  return lab::problem(T::CliCannotWrite, {path, std::strerror(errno)});
}

lab::Result<bool> Sinks::open_table(const std::string& path, std::unique_ptr<lab::TableExport> form) {
  if (path.empty()) return true;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return lab::problem(T::CliCannotWrite, {path, std::strerror(errno)});
  tables_.push_back({path, file, std::move(form)});
  return write(file, path, tables_.back().form->begin());
}

lab::Result<bool> Sinks::write_event(std::size_t event) {
  for (const Table& table : tables_)
    if (const auto written = write(table.file, table.path, table.form->event(model_, store_, event));
        !written)
      return written;
  if (events_ == nullptr) return true;
  return write(events_, options_.events, lab::event_json(model_, store_, event) + "\n");
}

lab::Result<bool> Sinks::take() {
  model_.follow();
  const std::size_t end = model_.moments();
  for (std::size_t event = taken_; event < end; ++event) {
    if (walk_) walk_->print(event);
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
  for (const Table& table : tables_) {
    if (const auto written = write(table.file, table.path, table.form->end()); !written) return written;
    if (std::fflush(table.file) != 0)
      return lab::problem(T::CliCannotWrite, {table.path, std::strerror(errno)});
  }
  if (walk_) walk_->finish();
  if (events_ != nullptr && std::fflush(events_) != 0)
    return lab::problem(T::CliCannotWrite, {options_.events, std::strerror(errno)});
  if (recording_ && !recording_->finish())
    return lab::problem(T::CliCannotWrite, {options_.record, std::strerror(errno)});
  return true;
}

}  // namespace cli
