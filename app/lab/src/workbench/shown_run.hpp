// SPDX-License-Identifier: MIT
// The run that is shown: a session, which may still run, or a recording, or none; with its cursor, its text
// and steps, and the questions before its calls. A part of the workbench.
//
// There is never a session and a recording at once. Cursor, text, steps and questions are of the same run:
// each show_…() begins all of them anew. Owned by the thread that draws.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/predictions.hpp"
#include "workbench/cursor.hpp"
#include "workbench/open_files.hpp"
#include "workbench/replay_job.hpp"
#include "workbench/run_steps.hpp"
#include "workbench/run_text.hpp"
#include "workbench/wake.hpp"

namespace lab {

class ShownRun {
 public:
  ShownRun(const OpenFiles& now, std::shared_ptr<Wake> wake);
  void show_nothing();
  void show_session(std::shared_ptr<Session> session, const trace::RunInfo& info);
  void show_recording(const std::filesystem::path& path);  // begins to read it
  // No session is shown. A recording stays the shown run, without a picture.
  void drop_session();
  // Once a recording is read: its sources are known. list_files() follows when its lesson is open.
  void take_sources_of_recording();
  void know_sources(Sources sources);  // of a session whose sources are known only with its calls
  void list_files() { files_ = text_.files(); }

  bool any() const { return session_ != nullptr || recording_ != nullptr; }
  // Shared with those that still need it when another run is shown.
  const std::shared_ptr<Session>& session() const { return session_; }
  const trace::RunInfo& info() const { return info_; }  // of the session
  ReplayJob* recording() const { return recording_.get(); }
  std::shared_ptr<const void> owner() const;  // of the store
  const trace::Store& store() const;
  bool growing() const;  // events may still come
  bool held() const;
  bool ended() const;  // the session, and its last event is in the picture
  std::optional<RunEnd> end() const;
  std::vector<trace::Pending> pending() const;
  Workbench::Place place(bool next) const;   // of the call at the cursor, or of the next one
  std::optional<std::string> step_name();    // of the call at the cursor
  bool expected_failure(std::size_t event);  // the program itself expects it
  bool fold();  // takes in new events; a held run shows the process of the call before

  Cursor& cursor() { return cursor_; }
  RunText& text() { return text_; }
  RunSteps& steps() { return steps_; }
  Predictions& predictions() { return predictions_; }
  const std::vector<std::string>& files() const { return files_; }  // of a recording, or of know_sources()

 private:
  void begin(const trace::Store& store);
  void set_text(Sources sources);

  std::shared_ptr<Wake> wake_;
  trace::Store empty_;
  std::shared_ptr<Session> session_;
  trace::RunInfo info_;
  std::shared_ptr<ReplayJob> recording_;
  Cursor cursor_;  // declared after the stores
  RunText text_;
  RunSteps steps_;
  Predictions predictions_;
  std::vector<std::string> files_;
};

}  // namespace lab
