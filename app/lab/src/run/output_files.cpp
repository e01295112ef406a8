// SPDX-License-Identifier: MIT
// See output_files.hpp. The files have no name in any folder, so nothing is left behind however the lab ends.
#include "run/output_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

namespace lab {
namespace {

constexpr std::uint64_t kMostPerEvent = 64 << 10;
constexpr std::uint64_t kLetGo = 1 << 20;      // bytes, a whole number of pages
constexpr std::size_t kZerosLookedFor = 4096;  // at once
constexpr std::uint64_t kBytesOfZeros = 32;    // of the line that is shown for them

// Where a piece that is not the last one ends: after a line, else between two characters.
std::size_t good_end(const std::string& text) {
  const auto line = text.rfind('\n');
  if (line != std::string::npos) return line + 1;
  std::size_t end = text.size();
  while (end > 1 && (static_cast<unsigned char>(text[end - 1]) & 0xC0) == 0x80) --end;
  return end > 1 ? end - 1 : text.size();
}

// How many bytes there are before a character that is begun and not ended.
std::size_t before_begun_character(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const std::size_t length = byte >= 0xF8 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

std::optional<OutputFiles> OutputFiles::create(std::uint64_t most_bytes, std::size_t most_memory) {
  OutputFiles files;
  files.room_ = most_bytes;
  files.most_memory_ = most_memory;
  for (int i = 0; i < 2; ++i) {
    FileDescriptor file(::memfd_create(i == 0 ? "stdout" : "stderr", MFD_CLOEXEC));
    if (!file || ::fcntl(file.get(), F_SETFL, O_APPEND) != 0) return std::nullopt;
    const std::string again = "/proc/self/fd/" + std::to_string(file.get());
    FileDescriptor own(::open(again.c_str(), O_RDWR | O_CLOEXEC));
    if (!own) return std::nullopt;
    files.files_[static_cast<std::size_t>(i)] = std::move(file);
    files.own_[static_cast<std::size_t>(i)] = std::move(own);
  }
  return files;
}

OutputFiles::Sizes OutputFiles::sizes() {
  Sizes sizes{};
  for (std::size_t i = 0; i < 2; ++i) {
    struct stat about{};
    if (::fstat(files_[i].get(), &about) == 0) sizes[i] = static_cast<std::uint64_t>(about.st_size);
    // The program has shortened the file: what it writes from now on is new output.
    if (sizes[i] < taken_[i]) taken_[i] = let_go_[i] = sizes[i];
    if (sizes[i] >= data_end_[i]) continue;
    data_end_[i] = sizes[i];
    gap_behind_[i] = false;
  }
  return sizes;
}

std::size_t OutputFiles::append_until(const Sizes& sizes, std::uint64_t t_ns, trace::Store& store) {
  return append_one(0, sizes[0], t_ns, store, false) + append_one(1, sizes[1], t_ns, store, false);
}

std::size_t OutputFiles::append_rest(std::uint64_t t_ns, trace::Store& store) {
  const Sizes all = sizes();
  const std::size_t events =
      append_one(0, all[0], t_ns, store, true) + append_one(1, all[1], t_ns, store, true);
  if (left_out_ == 0) return events;
  trace::Event lost;
  lost.kind = trace::EventKind::Lost;
  lost.t_ns = t_ns;
  lost.text = std::to_string(left_out_);
  store.append(lost);
  return events + 1;
}

std::uint64_t OutputFiles::first_not_zero(std::size_t which, std::uint64_t from, std::uint64_t to) const {
  std::array<char, kZerosLookedFor> block;
  while (from < to) {
    const ssize_t n = ::pread(own_[which].get(), block.data(),
                              std::min<std::uint64_t>(to - from, kZerosLookedFor), static_cast<off_t>(from));
    if (n <= 0) return from;
    const std::size_t zeros =
        std::min(std::string_view(block.data(), static_cast<std::size_t>(n)).find_first_not_of('\0'),
                 static_cast<std::size_t>(n));
    from += zeros;
    if (zeros < static_cast<std::size_t>(n)) return from;
  }
  return to;
}

std::uint64_t OutputFiles::after_last_not_zero(std::size_t which, std::uint64_t from,
                                               std::uint64_t to) const {
  std::array<char, kZerosLookedFor> block;
  while (to > from) {
    const std::uint64_t begin = to - std::min<std::uint64_t>(to - from, kZerosLookedFor);
    const ssize_t n = ::pread(own_[which].get(), block.data(), to - begin, static_cast<off_t>(begin));
    if (n <= 0) return to;
    const std::size_t last =
        std::string_view(block.data(), static_cast<std::size_t>(n)).find_last_not_of('\0');
    if (last != std::string_view::npos) return begin + last + 1;
    to = begin;
  }
  return from;
}

// The kernel keeps whole pages, so there are zeros that nobody wrote on both sides of a hole.
std::uint64_t OutputFiles::end_of_gap(std::size_t which, std::uint64_t until) const {
  const int file = own_[which].get();
  const std::uint64_t from = taken_[which];
  bool hole = false;
  for (std::uint64_t at = from; at < until;) {
    const off_t data = ::lseek(file, static_cast<off_t>(at), SEEK_DATA);
    if (data < 0 && errno != ENXIO) return from;
    const std::uint64_t next = data < 0 ? until : std::min(static_cast<std::uint64_t>(data), until);
    hole = hole || next > at;
    if (next == until) return until;
    at = first_not_zero(which, next, std::min(next + 1, until));  // most output is none of this
    const off_t end = at == next ? -1 : ::lseek(file, static_cast<off_t>(next), SEEK_HOLE);
    const std::uint64_t rest = end < 0 ? at : std::min(static_cast<std::uint64_t>(end), until);
    at = first_not_zero(which, at, rest);
    if (at == next || at < rest) return hole ? at : from;
  }
  return hole ? until : from;
}

// The system looks at each page up to the next hole, so it is asked once for all pieces before it.
std::uint64_t OutputFiles::end_of_data(std::size_t which, std::uint64_t until) {
  const int file = own_[which].get();
  std::uint64_t& end = data_end_[which];
  const bool known = taken_[which] < end;
  if (!known && end_of_gap(which, until) > taken_[which]) return taken_[which];
  // What was the end of the file may have been written behind since.
  const std::uint64_t from = known ? end : taken_[which];
  if (!known || (!gap_behind_[which] && until > from)) {
    const off_t hole = ::lseek(file, static_cast<off_t>(from), SEEK_HOLE);
    end = hole < 0 ? until : static_cast<std::uint64_t>(hole);
    gap_behind_[which] = end < until;
    if (gap_behind_[which]) end = after_last_not_zero(which, taken_[which], end);
  }
  return std::min(end, until);
}

void OutputFiles::let_go(std::size_t which) {
  const std::uint64_t end = taken_[which] / kLetGo * kLetGo;
  if (end <= let_go_[which]) return;
  const auto from = static_cast<off_t>(let_go_[which]), bytes = static_cast<off_t>(end - let_go_[which]);
  if (::fallocate(own_[which].get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, bytes) == 0)
    let_go_[which] = end;
}

// False: there is no room for it.
bool OutputFiles::keep(const trace::Event& event, std::uint64_t bytes, trace::Store& store) {
  room_ -= std::min(bytes, room_);
  // Also if calls have filled the store, because the last output of a program is the most useful.
  if (most_memory_ != 0 && kept_ + bytes > most_memory_ / 2) {
    left_out_ += event.text.size();
    return false;
  }
  kept_ += bytes;
  store.append(event);
  return true;
}

std::size_t OutputFiles::append_one(std::size_t which, std::uint64_t until, std::uint64_t t_ns,
                                    trace::Store& store, bool last) {
  std::size_t events = 0;
  struct stat about{};
  if (taken_[which] >= until || ::fstat(own_[which].get(), &about) != 0) return events;
  until = std::min(until, static_cast<std::uint64_t>(about.st_size));
  while (taken_[which] < until && room_ > 0) {
    const std::uint64_t end = end_of_data(which, until);
    trace::Event event;
    event.kind = trace::EventKind::Output;
    event.number = which + 1;
    event.t_ns = t_ns;
    if (end == taken_[which]) {
      event.zeros = std::min(end_of_gap(which, until) - end, trace::kMostZeros);
      if (event.zeros == 0) break;  // the program has shortened the file
      taken_[which] += event.zeros;
      if (keep(event, kBytesOfZeros, store)) ++events;
      continue;
    }
    const std::uint64_t rest = std::min(end - taken_[which], room_);
    event.text.resize(std::min(rest, kMostPerEvent));
    const ssize_t n =
        ::pread(files_[which].get(), event.text.data(), event.text.size(), static_cast<off_t>(taken_[which]));
    if (n <= 0) break;  // the noted size is more than there is: the program has shortened the file
    event.text.resize(static_cast<std::size_t>(n));
    if (event.text.size() < rest)
      event.text.resize(good_end(event.text));
    else if (!last && !gap_behind_[which])
      event.text.resize(before_begun_character(event.text));
    if (event.text.empty()) break;
    taken_[which] += event.text.size();
    if (keep(event, event.text.size(), store)) ++events;
    let_go(which);
  }
  return events;
}

}  // namespace lab
