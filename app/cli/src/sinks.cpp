// SPDX-License-Identifier: MIT
// Follows the store and passes each event on once. If a file cannot be written, writing stops with a message
// that names the file.
#include "sinks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "export_page.hpp"
#include "lab/discretion.hpp"
#include "lab/files.hpp"
#include "lab/own_program.hpp"

namespace cli {

using T = lab::Text;

Sinks::Sinks(const Shell& shell, const SinkOptions& options, const trace::Store& store, trace::RunInfo info)
    : shell_(shell),
      store_(store),
      info_(std::move(info)),
      model_(store),
      models_(model_, store),
      options_(options) {
  if (options.walk && !options.quiet && options.events != "-")
    walk_.emplace(shell, models_, store, colour_wanted(1));
}

Sinks::~Sinks() {
  if (events_ != nullptr && events_ != stdout) std::fclose(events_);
  for (const Table& table : tables_) std::fclose(table.file);
}

lab::Result<std::unique_ptr<Sinks>> Sinks::open(const Shell& shell, const SinkOptions& options,
                                                const trace::Store& store, const trace::RunInfo& info) {
  for (const auto& [option, file] :
       {std::pair{"--record", &options.record}, std::pair{"--csv", &options.csv},
        std::pair{"--chrome-trace", &options.chrome}, std::pair{"--html", &options.html}})
    if (*file == "-") return lab::problem(T::CliOnlyEventsToOutput, {option});
  std::unique_ptr<Sinks> sinks(new Sinks(shell, options, store, info));
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
  if (!options.html.empty()) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::absolute(options.html).parent_path();
    const bool device = std::filesystem::is_other(options.html, error);
    if (!device && ::access(folder.c_str(), W_OK | X_OK) != 0)
      return lab::problem(T::CliCannotWrite, {options.html, std::strerror(errno)});
  }
  if (!options.record.empty()) {
    std::string error;
    sinks->recording_ = trace::RecordingWriter::create(options.record, info, &error, options.limits);
    if (!sinks->recording_) return lab::problem(T::CliCannotWrite, {options.record, error});
  }
  return sinks;
}

void Sinks::give_up(const std::string& path, int error) {
  failed_ = true;
  const std::string why = lab::Problem{T::CliCannotWrite, {path, std::strerror(error)}}.in(shell_.language);
  cli::print(stderr, "driverlab: {}\n", printable(shell_.text(T::CliRecordingStops, {why})));
}

void Sinks::give_up_recording() {
  give_up(options_.record, recording_->error());
  cut_ = std::move(recording_);
}

// A run may have taken hours, and cannot be had again. Said at its end, where it is read.
void Sinks::keep_cut_recording() {
  if (!cut_) return;
  const std::string calls = std::to_string(cut_->calls_written());
  const std::filesystem::path kept = cut_->keep_cut();
  if (kept.empty())
    shell_.complain(T::CliRecordingNothingKept, {options_.record});
  else
    shell_.complain(T::CliRecordingKept, {kept.string(), calls, std::to_string(store_.calls())});
  cut_.reset();
}

// run() reports a failure of standard output, because everything that is written there goes through it.
bool Sinks::write(std::FILE* file, const std::string& path, const std::string& text) {
  if (file == stdout) {
    put(stdout, text);
    return true;
  }
  if (std::fwrite(text.data(), 1, text.size(), file) == text.size()) return true;
  give_up(path, errno);
  return false;
}

lab::Result<bool> Sinks::open_table(const std::string& path, std::unique_ptr<lab::TableExport> form) {
  if (path.empty()) return true;
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return lab::problem(T::CliCannotWrite, {path, std::strerror(errno)});
  tables_.push_back({path, file, std::move(form)});
  if (!write(file, path, tables_.back().form->begin())) close_table(tables_.size() - 1);
  return true;
}

void Sinks::close_table(std::size_t table) {
  std::fclose(tables_[table].file);
  tables_.erase(tables_.begin() + static_cast<std::ptrdiff_t>(table));
}

void Sinks::close_events() {
  if (events_ != nullptr && events_ != stdout) std::fclose(events_);
  events_ = nullptr;
}

void Sinks::write_event(std::size_t event) {
  for (std::size_t i = tables_.size(); i-- > 0;)
    if (!write(tables_[i].file, tables_[i].path,
               tables_[i].form->event(models_.of_event(event), store_, event)))
      close_table(i);
  if (events_ != nullptr &&
      !write(events_, options_.events, lab::event_json(models_.of_event(event), store_, event) + "\n"))
    close_events();
}

// Where the calls are not printed, what the program writes goes where it would have gone without us.
void Sinks::pass_output(std::size_t event) const {
  if (!options_.quiet || store_.kind_at(event) != trace::EventKind::Output) return;
  const trace::Event output = store_.at(event);
  std::FILE* const to = output.number == 2 ? stderr : stdout;
  put(to, output.text);
}

void Sinks::leave_out_what_waits() {
  constexpr std::size_t kMostPrinted = 1000, kLastPrinted = 20;
  if (!walk_ || store_.size() - taken_ <= kMostPrinted) return;
  left_out_from_ = taken_;
  left_out_to_ = store_.size() - kLastPrinted;
}

void Sinks::print(std::size_t event) {
  if (event >= left_out_from_ && event < left_out_to_) return;
  if (event == left_out_to_ && left_out_to_ != 0)
    walk_->remark(shell_.text(T::CliLeftOut, {std::to_string(store_.calls_before(left_out_to_) -
                                                             store_.calls_before(left_out_from_))}));
  walk_->print(event);
}

bool Sinks::take(std::size_t most) {
  model_.follow();
  const std::size_t end = std::min(model_.moments(), taken_ + std::min(most, model_.moments()));
  for (std::size_t event = taken_; event < end; ++event) {
    if (store_.kind_at(event) == trace::EventKind::Call && !models_.of_event(event).agrees(event))
      ++disagreements_;
    if (walk_) print(event);
    pass_output(event);
    write_event(event);
  }
  if (recording_ && end > taken_ && !recording_->write(store_, taken_, end)) give_up_recording();
  taken_ = end;
  // A reader of the file sees each call as soon as it has been made.
  if (events_ != nullptr && events_ != stdout && std::fflush(events_) != 0) {
    give_up(options_.events, errno);
    close_events();
  }
  (void)output_error();
  return taken_ < model_.moments();
}

// Files that calls name and that lie in the program's folder.
void Sinks::read_named_sources() {
  lab::NamedSources named(options_.source_folder);
  if (named.read(store_)) info_.sources.insert(named.texts().begin(), named.texts().end());
}

std::string Sinks::page() const {
  if (options_.keep_paths) return lab::html_page(model_, store_, info_, options_.page);
  trace::RunInfo info = info_;
  lab::leave_out_private(info);
  trace::Store store;
  lab::copy_discreetly(store_, 0, store_.size(), store);
  lab::Model model(store);
  model.follow();
  return lab::html_page(model, store, info, options_.page);
}

void Sinks::write_page() {
  if (options_.html.empty()) return;
  name_page(options_.page, info_);
  options_.page.language = shell_.language;
  const lab::PageRange range = lab::page_range(options_.page, store_);
  if (const auto written = lab::write_file(options_.html, page()); !written) {
    failed_ = true;
    return shell_.complain(written.error());
  }
  // Standard output may belong to others.
  say_what_it_holds(shell_, options_.html, options_.keep_paths, walk_ ? stdout : stderr);
  const std::size_t wanted = options_.page.to == 0 ? store_.calls() : options_.page.to;
  if (range.to < wanted)
    shell_.complain(T::PageCut, {std::to_string(range.from), std::to_string(range.to),
                                 std::to_string(store_.calls()), std::to_string(lab::kMostCallsOfAPage)});
}

void Sinks::finish() {
  take(store_.size());
  for (std::size_t i = tables_.size(); i-- > 0;) {
    const Table& table = tables_[i];
    if (!write(table.file, table.path, table.form->end())) {
      close_table(i);
    } else if (std::fflush(table.file) != 0) {
      give_up(table.path, errno);
      close_table(i);
    }
  }
  if (walk_) walk_->finish();
  const bool sources_to_add = recording_ && info_.lesson.empty();
  if (sources_to_add || !options_.html.empty()) read_named_sources();
  if (sources_to_add && !info_.sources.empty()) recording_->add_sources(info_.sources);
  if (recording_ && !recording_->finish()) give_up_recording();
  if (recording_ && (recording_->left_out() > 0 || recording_->output_left_out() > 0)) {
    failed_ = true;
    shell_.complain(T::CliRecordingFull, {options_.record, std::to_string(recording_->left_out()),
                                          std::to_string(recording_->output_left_out())});
  }
  write_page();
  if (recording_) say_what_a_recording_holds(shell_, options_.record, walk_ ? stdout : stderr);
  keep_cut_recording();
}

}  // namespace cli
