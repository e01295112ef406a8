// SPDX-License-Identifier: MIT
// Where a run's events go while it runs: the terminal, a file of JSON lines, a recording. The same for a live
// run and for a recording that is read, so that a replay prints what the run printed.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "lab/model.hpp"
#include "lab/page_export.hpp"
#include "lab/process_models.hpp"
#include "lab/table_export.hpp"
#include "trace/recording.hpp"
#include "walk.hpp"

namespace cli {

struct SinkOptions {
  std::string events = {};  // path, "-" for stdout, or ""
  std::string record = {};  // path or ""
  std::string csv = {};     // path or ""
  std::string chrome = {};  // path or ""; Trace Event Format
  std::string html = {};    // path or ""
  lab::PageOptions page = {};
  // For a program that is no lesson: where the page finds the sources that its calls name. Never for a
  // recording, because that could name any file of this machine.
  std::filesystem::path source_folder = {};
  bool walk = true;         // print the calls; not when the JSON lines go to stdout
  bool quiet = false;       // never print them
  bool keep_paths = false;  // the page includes what lab/discretion.hpp removes
  trace::RecordingLimits limits = {};
};

class Sinks {
 public:
  static lab::Result<std::unique_ptr<Sinks>> open(const Shell& shell, const SinkOptions& options,
                                                  const trace::Store& store, const trace::RunInfo& info);
  ~Sinks();
  Walk* walk() { return walk_ ? &*walk_ : nullptr; }
  const lab::Model& model() const { return model_; }
  std::size_t disagreements() const { return disagreements_; }  // calls after which model and driver differ
  // Takes the new events of the store. A file that cannot be written any more (a full disk) is given up, with
  // one message on stderr; the run and the other files go on. it_failed() is then true, as after finish() if
  // the recording had no room for all. At most so many events at once, so that the end of a run is seen in
  // time. True: there are more.
  bool take(std::size_t most);
  // The program was ended: if very many calls wait to be printed, only the last few are. Files get all of
  // them.
  void leave_out_what_waits();
  void finish();  // after the last event
  bool it_failed() const { return failed_; }

 private:
  Sinks(const Shell& shell, const SinkOptions& options, const trace::Store& store, trace::RunInfo info);
  struct Table {
    std::string path;
    std::FILE* file = nullptr;
    std::unique_ptr<lab::TableExport> form;
  };
  lab::Result<bool> open_table(const std::string& path, std::unique_ptr<lab::TableExport> form);
  bool write(std::FILE* file, const std::string& path, const std::string& text);  // false: reported
  void write_event(std::size_t event);
  void give_up(const std::string& path, int error);
  void give_up_recording();
  void keep_cut_recording();
  void print(std::size_t event);
  void close_table(std::size_t table);
  void close_events();
  void pass_output(std::size_t event) const;
  std::string page() const;
  void write_page();
  void read_named_sources();

  const Shell& shell_;
  const trace::Store& store_;
  trace::RunInfo info_;
  lab::Model model_;
  lab::ProcessModels models_;  // of what model_ has folded
  SinkOptions options_;
  std::size_t taken_ = 0, disagreements_ = 0;
  std::size_t left_out_from_ = 0, left_out_to_ = 0;  // events that are not printed
  bool failed_ = false;
  std::optional<Walk> walk_;
  std::FILE* events_ = nullptr;
  std::vector<Table> tables_;
  std::unique_ptr<trace::RecordingWriter> recording_, cut_;  // cut_: it could not be written to its end
};

}  // namespace cli
