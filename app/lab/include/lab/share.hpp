// SPDX-License-Identifier: MIT
// A run to be shared: its recording, a page with every step, or an animation, written while the window goes
// on.
//
// Pictures are drawn by a second process of this program (`driverlab export`), so that the window stays
// smooth and a cancelled export leaves nothing behind. Owned by one thread; the work is done in another.
#pragma once
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "lab/text.hpp"
#include "trace/recording.hpp"
#include "trace/store.hpp"

namespace lab {

enum class ShareKind { Page, Animation, Recording };

inline constexpr std::size_t kMostSharedCalls = 2000;  // pictures of one export

struct ShareRequest {
  ShareKind kind = ShareKind::Page;
  std::filesystem::path output;  // NAME.html, NAME.png or NAME.trace
  // A recording on the disk, or else the events of `store`, which `owner` keeps alive until the job has
  // ended.
  std::filesystem::path recording;
  const trace::Store* store = nullptr;
  std::shared_ptr<const void> owner;
  trace::RunInfo info;
  std::size_t from = 1, to = 0;   // calls, 1-based; to 0: the last one
  bool whole = false;             // includes what lab/discretion.hpp removes
  std::vector<std::string> look;  // further arguments of `driverlab export`: language, theme, scale, size
};

class ShareJob {
 public:
  explicit ShareJob(ShareRequest request);
  ~ShareJob();  // cancels
  ShareJob(const ShareJob&) = delete;
  ShareJob& operator=(const ShareJob&) = delete;

  void cancel() { cancel_ = true; }
  bool done() const { return done_; }
  bool cancelled() const { return cancel_; }
  std::size_t drawn() const { return drawn_; }  // of `all()` pictures; 0 of 0 while it is not known
  std::size_t all() const { return all_; }
  const std::filesystem::path& output() const { return request_.output; }
  const Problem& outcome() const { return outcome_; }  // once done(): what was written, or why not
  bool ok() const { return ok_; }                      // once done()

 private:
  void work();
  void fail(std::string reason);
  bool write_recording(const std::filesystem::path& path);
  bool read_recording();
  bool write_discreetly(trace::RecordingWriter& writer, std::size_t from, std::size_t to);
  bool make_scratch(std::filesystem::path& path);
  bool copy(const std::filesystem::path& recording);
  void draw(const std::filesystem::path& recording);
  void hear(std::string_view output);

  ShareRequest request_;
  trace::Store read_;  // the events of a recording that is not copied as it is
  std::atomic<bool> cancel_ = false, done_ = false;
  std::atomic<std::size_t> drawn_ = 0, all_ = 0;
  Problem outcome_;
  bool ok_ = false;
  std::thread thread_;
};

}  // namespace lab
