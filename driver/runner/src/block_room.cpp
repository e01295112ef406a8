// BlockRoom.
#include "block_room.hpp"

#include <sys/mman.h>

#include <array>
#include <atomic>

#include "process.hpp"

namespace runner {
namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t guard = std::uint64_t{1} << 16;  // an access that begins at the very end
// Of every worker there is; read by the signal handler.
std::array<std::atomic<std::uint64_t>, 4096> windows = {};
std::atomic<unsigned> window_count{0};

}  // namespace

BlockRoom& BlockRoom::own() {
  thread_local BlockRoom room;
  return room;
}

std::byte* BlockRoom::shared(std::uint64_t bytes) {
  if (shared_ == nullptr) {
    void* const got =
        mmap(nullptr, shared_window + guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) end_with(Outcome::LaunchFailed);
    shared_ = static_cast<std::byte*>(got);
    const unsigned number = window_count.fetch_add(1);
    if (number < windows.size()) windows[number].store(reinterpret_cast<std::uint64_t>(got));
  }
  const std::uint64_t wanted = (bytes + page - 1) / page * page;
  if (wanted > shared_open_) {
    if (mprotect(shared_, wanted, PROT_READ | PROT_WRITE) != 0) end_with(Outcome::LaunchFailed);
    shared_open_ = wanted;
  }
  return shared_;
}

std::byte* BlockRoom::grown(std::vector<std::byte>& bytes, std::uint64_t size) {
  constexpr std::uint64_t line = 64;
  if (bytes.size() < size + line) bytes.resize(size + line);
  const auto at = reinterpret_cast<std::uint64_t>(bytes.data());
  return bytes.data() + ((line - at % line) % line);
}

bool is_in_shared_window(std::uint64_t address) {
  for (const auto& window : windows) {
    const std::uint64_t base = window.load(std::memory_order_relaxed);
    if (base == 0) return false;
    if (address - base < shared_window + guard) return true;
  }
  return false;
}

}  // namespace runner
