// The memory in which a worker runs blocks: shared memory, threads' local memory, registers of those who
// wait.
//
// Shared memory lies at the start of four reserved gigabytes, so that no 32-bit offset leads anywhere else.
// Grows as kernels need it, and belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace runner {

inline constexpr std::uint64_t shared_window = std::uint64_t{1} << 32;

class BlockRoom {
 public:
  // The calling worker's.
  static BlockRoom& own();

  // Zeroed when it is new.
  std::byte* shared(std::uint64_t bytes);
  std::byte* local(std::uint64_t bytes) { return grown(local_, bytes); }
  std::byte* saved(std::uint64_t bytes) { return grown(saved_, bytes); }

 private:
  BlockRoom() = default;
  void reserve();
  static std::byte* grown(std::vector<std::byte>& bytes, std::uint64_t size);

  std::byte* shared_ = nullptr;
  std::uint64_t reserved_ = 0, shared_open_ = 0;
  std::vector<std::byte> local_, saved_;
};

// Whether some worker's shared memory lies there, or would if it were larger. May be called in a signal.
bool is_in_shared_window(std::uint64_t address);

}  // namespace runner
