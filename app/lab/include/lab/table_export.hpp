// SPDX-License-Identifier: MIT
// A run in formats of other programs: rows of a table (CSV), and events of the Trace Event Format, which
// chrome://tracing and Perfetto open. Written event by event while a run goes on; see docs/events.md.
#pragma once
#include <cstddef>
#include <string>

#include "lab/model.hpp"
#include "trace/store.hpp"

namespace lab {

// A file of lines: begin(), then event() for each event in order, then end().
class TableExport {
 public:
  virtual ~TableExport() = default;
  virtual std::string begin() const = 0;
  // The text of this event with its line ends; "" if the format has no place for it. The model must have
  // folded the event.
  virtual std::string event(const Model& model, const trace::Store& store, std::size_t event) = 0;
  virtual std::string end() const = 0;
};

// RFC 4180, in UTF-8: one row a call. Times are nanoseconds.
class CsvExport : public TableExport {
 public:
  std::string begin() const override;
  std::string event(const Model& model, const trace::Store& store, std::size_t event) override;
  std::string end() const override { return {}; }
};

// One JSON document: calls as complete events, failed ones in the category "error", output as instants, names
// of processes and threads as metadata.
class ChromeTraceExport : public TableExport {
 public:
  std::string begin() const override;
  std::string event(const Model& model, const trace::Store& store, std::size_t event) override;
  std::string end() const override;

 private:
  bool first_ = true;
};

}  // namespace lab
