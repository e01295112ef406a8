// Where a run's events go while it runs: the terminal, a file of JSON lines, a recording. The same for a live
// run and for a recording that is read back, so that a replay says what the run said.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "lab/model.hpp"
#include "lab/page_export.hpp"
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
  // Of a program that is no lesson: where the page finds the sources that its calls name. Never for a
  // recording, which could name any file of this machine.
  std::filesystem::path source_folder = {};
  bool walk = true;  // print the calls; not when the JSON lines go to stdout
};

class Sinks {
 public:
  static lab::Result<std::unique_ptr<Sinks>> open(const Shell& shell, const SinkOptions& options,
                                                  const trace::Store& store, const trace::RunInfo& info);
  ~Sinks();
  Walk* walk() { return walk_ ? &*walk_ : nullptr; }
  const lab::Model& model() const { return model_; }
  lab::Result<bool> take();    // everything that the store gained
  lab::Result<bool> finish();  // after the last event

 private:
  Sinks(const Shell& shell, const SinkOptions& options, const trace::Store& store, trace::RunInfo info);
  struct Table {
    std::string path;
    std::FILE* file = nullptr;
    std::unique_ptr<lab::TableExport> form;
  };
  lab::Result<bool> open_table(const std::string& path, std::unique_ptr<lab::TableExport> form);
  static lab::Result<bool> write(std::FILE* file, const std::string& path, const std::string& text);
  lab::Result<bool> write_event(std::size_t event);
  lab::Result<bool> write_page();
  void read_named_sources();

  const Shell& shell_;
  const trace::Store& store_;
  trace::RunInfo info_;
  lab::Model model_;
  SinkOptions options_;
  std::size_t taken_ = 0;
  std::optional<Walk> walk_;
  std::FILE* events_ = nullptr;
  std::vector<Table> tables_;
  std::unique_ptr<trace::RecordingWriter> recording_;
};

}  // namespace cli
