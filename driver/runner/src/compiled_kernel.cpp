// SPDX-License-Identifier: MIT
// See compiled_kernel.hpp. Code for one shape of block comes from the cache on disk or from the compiler;
// if neither has it, the kernel is interpreted.
#include "compiled_kernel.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>

#include "block_room.hpp"
#include "block_run.hpp"
#include "cache/kernel_cache.hpp"
#include "compiler_library.hpp"
#include "interpreted_kernel.hpp"
#include "kernel_runtime.hpp"
#include "object_loader.hpp"
#include "process.hpp"

namespace runner {
namespace {

using Shape = std::array<std::uint32_t, 3>;

// Code for one shape.
struct Translation {
  Shape shape = {};
  std::unique_ptr<LoadedObject> object;
  RegionKernel kernel;
  WholeKernel whole = nullptr;
  std::vector<std::uint64_t> symbols;
};

// Null when the object is not what this runner understands.
std::unique_ptr<Translation> load(std::span<const std::byte> bytes, const Shape& shape,
                                  const ModuleText& module) {
  auto made = std::make_unique<Translation>();
  made->shape = shape;
  std::string why;
  made->object = LoadedObject::load(bytes, library_function, why);
  if (!made->object) return nullptr;
  const auto* const words = static_cast<const std::uint64_t*>(made->object->find(kDescriptionSymbol));
  KernelDescription& description = made->kernel.description;
  if (words == nullptr || !decode(words + 1, words[0], description)) return nullptr;
  for (std::uint32_t i = 0; i < description.regions; ++i) {
    const void* const region = made->object->find("region" + std::to_string(i));
    if (region == nullptr) return nullptr;
    made->kernel.regions.push_back(reinterpret_cast<Region>(reinterpret_cast<std::uintptr_t>(region)));
  }
  made->kernel.prepare();
  if (description.regions == 0) {
    const void* const whole = made->object->find("kernel");
    if (whole == nullptr) return nullptr;
    made->whole = reinterpret_cast<WholeKernel>(reinterpret_cast<std::uintptr_t>(whole));
  }
  for (const std::string& name : description.symbols) {
    const auto found = module.symbols.find(name);
    made->symbols.push_back(found == module.symbols.end() ? 0 : found->second);
  }
  return made;
}

class CompiledKernel : public KernelCode {
 public:
  CompiledKernel(const ModuleText& module, std::string name) : module_(module), name_(std::move(name)) {}

  std::uint64_t units(const Slot& slot) const override { return clusters_of(slot); }

  void run(const Slot& slot, Pieces& pieces, unsigned index) override {
    const Translation* const code = translation({slot.block[0], slot.block[1], slot.block[2]});
    if (code == nullptr) return interpreted_->run(slot, pieces, index);
    if (slot.cluster[0] * slot.cluster[1] * slot.cluster[2] > 1)
      return run_clusters(*code, slot, pieces, index);
    thread_local Owners owners = {};
    Block block = block_in(BlockRoom::own(), *code, slot, index);
    owners[0] = owners[1] = block.shared;
    block.cluster_shared = owners.data();
    if (code->whole == nullptr) return run_regions(*code, block, pieces);
    for (std::uint64_t first = 0, count = 0; pieces.take(first, count);) code->whole(&block, first, count);
  }

 private:
  using Owners = std::array<std::byte*, kOwners>;

  static Block block_in(BlockRoom& room, const Translation& code, const Slot& slot, unsigned index) {
    const KernelDescription& description = code.kernel.description;
    const std::uint64_t threads = std::uint64_t{slot.block[0]} * slot.block[1] * slot.block[2];
    Block block = {};
    block.parameters = slot.parameters;
    block.total_shared = static_cast<std::uint32_t>(description.static_shared) + slot.dynamic_shared;
    block.shared = room.shared(block.total_shared);
    const std::uint64_t at_once = code.whole != nullptr ? 1 : threads;
    block.local = room.local(description.local_bytes * at_once + kLocalGap);
    block.saved = room.saved(description.saved_bytes);
    block.symbols = code.symbols.data();
    block.runtime = &kernel_runtime;
    std::memcpy(block.grid, slot.grid, sizeof block.grid);
    std::memcpy(block.block, slot.block, sizeof block.block);
    std::memcpy(block.cluster, slot.cluster, sizeof block.cluster);
    block.explicit_cluster = slot.explicit_cluster;
    block.dynamic_shared = slot.dynamic_shared;
    block.processor = processor_of(slot, index);
    block.processors = slot.processors;
    block.launch = slot.ticket;
    block.stack_left = slot.stack_bytes;
    const std::array<std::uint32_t, 32> environment = environment_of(slot);
    std::copy(environment.begin(), environment.end(), block.environment);
    return block;
  }

  static void run_regions(const Translation& code, Block& block, Pieces& pieces) {
    BlockRun run(code.kernel);
    for (std::uint64_t first = 0, count = 0; pieces.take(first, count);) {
      for (std::uint64_t number = first; number < first + count; ++number) {
        block.index[0] = static_cast<std::uint32_t>(number % block.grid[0]);
        block.index[1] = static_cast<std::uint32_t>(number / block.grid[0] % block.grid[1]);
        block.index[2] = static_cast<std::uint32_t>(number / block.grid[0] / block.grid[1]);
        run.run(block);
      }
    }
  }

  // Each block of a cluster has a room of its own, because others may use its shared memory.
  static void run_clusters(const Translation& code, const Slot& slot, Pieces& pieces, unsigned index) {
    const std::uint32_t size = slot.cluster[0] * slot.cluster[1] * slot.cluster[2];
    std::vector<Block> blocks;
    blocks.reserve(size);
    for (std::uint32_t rank = 0; rank < size; ++rank)
      blocks.push_back(block_in(BlockRoom::of_rank(rank), code, slot, index));
    std::vector<Owners> owners(size, Owners{});
    for (std::uint32_t rank = 0; rank < size; ++rank) {
      owners[rank][0] = blocks[rank].shared;
      for (std::uint32_t other = 0; other < size && other + 1 < kOwners; ++other)
        owners[rank][other + 1] = blocks[other].shared;
      blocks[rank].cluster_shared = owners[rank].data();
    }
    std::vector<BlockRun> runs(size, BlockRun(code.kernel));
    for (std::uint64_t first = 0, count = 0; pieces.take(first, count);) {
      for (std::uint64_t number = first; number < first + count; ++number) {
        place(slot, number, blocks);
        if (code.whole == nullptr) {
          BlockRun::run_cluster(runs, blocks);
          continue;
        }
        for (Block& block : blocks) code.whole(&block, number_of(block), 1);
      }
    }
  }

  static void place(const Slot& slot, std::uint64_t cluster, std::vector<Block>& blocks) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      const std::uint64_t along = slot.grid[axis] / slot.cluster[axis];
      const auto start = static_cast<std::uint32_t>(cluster % along) * slot.cluster[axis];
      cluster /= along;
      std::uint32_t rank = 0;
      for (Block& block : blocks) {
        const std::uint32_t before = axis == 0   ? 1
                                     : axis == 1 ? slot.cluster[0]
                                                 : slot.cluster[0] * slot.cluster[1];
        block.index[axis] = start + rank++ / before % slot.cluster[axis];
      }
    }
  }

  static std::uint64_t number_of(const Block& block) {
    return block.index[0] +
           std::uint64_t{block.grid[0]} * (block.index[1] + std::uint64_t{block.grid[1]} * block.index[2]);
  }

  // Null: interpreted.
  const Translation* translation(const Shape& shape) {
    {
      const std::shared_lock lock(lock_);
      if (interpreted_) return nullptr;
      for (const auto& each : translations_)
        if (each->shape == shape) return each.get();
    }
    const std::unique_lock lock(lock_);
    if (interpreted_) return nullptr;
    for (const auto& each : translations_)
      if (each->shape == shape) return each.get();
    std::unique_ptr<Translation> made = make(shape);
    if (!made) {
      interpreted_ = interpret_kernel(module_, name_);
      return nullptr;
    }
    translations_.push_back(std::move(made));
    return translations_.back().get();
  }

  std::unique_ptr<Translation> make(const Shape& shape) const {
    static const KernelCache cache = KernelCache::from_environment();
    CacheKey key;
    add_compiler_identity(key);
    key.add(kErnelAbi).add(module_.text).add(name_);
    for (const std::uint32_t size : shape) key.add(size);
    if (const auto kept = cache.find(key)) {
      if (auto loaded = load(*kept, shape, module_)) return loaded;
    }
    std::string why;
    const std::optional<std::vector<std::byte>> object = compile(module_.text, name_, shape, why);
    if (object) {
      if (auto loaded = load(*object, shape, module_)) {
        cache.keep(key, *object);
        return loaded;
      }
      why = "the object cannot be loaded";
    }
    if (const char* const wanted = std::getenv("DRIVERLAB_KERNELS")) {
      std::fprintf(stderr, "driverlab-runner: %s is interpreted: %s\n", name_.c_str(), why.c_str());
      if (std::strcmp(wanted, "compiled") == 0) end_with(Outcome::LaunchFailed);
    }
    return nullptr;
  }

  const ModuleText& module_;
  const std::string name_;
  std::shared_mutex lock_;
  std::vector<std::unique_ptr<Translation>> translations_;
  std::unique_ptr<KernelCode> interpreted_;
};

}  // namespace

// Of the block that runs: its own variables, or those of called functions on this thread's stack.
bool is_local_address(const Block& block, std::uint64_t address) {
  constexpr std::uint64_t kMostLocal = std::uint64_t{1} << 30;
  if (address - reinterpret_cast<std::uint64_t>(block.local) < kMostLocal) return true;
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  return address - here < (std::uint64_t{64} << 20);
}

std::unique_ptr<KernelCode> compiled_kernel(const ModuleText& module, const std::string& name) {
  return std::make_unique<CompiledKernel>(module, name);
}

}  // namespace runner
