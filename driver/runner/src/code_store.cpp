// SPDX-License-Identifier: MIT
// See code_store.hpp: reads the host's messages, and makes a kernel of them when it is first asked for.
#include "code_store.hpp"

#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "device_memory.hpp"
#include "make_kernel.hpp"
#include "process.hpp"

namespace runner {
namespace {

struct Kernel {
  std::uint64_t module = 0;
  std::string name;
  std::once_flag made;
  std::unique_ptr<KernelCode> code;
};

// Entries stay until the host reports that no launch uses them or will use them, so references are valid as
// long as they are used.
struct Store {
  std::mutex lock;
  std::condition_variable arrived;
  std::map<std::uint64_t, std::unique_ptr<ModuleText>> modules;
  std::map<std::uint64_t, std::unique_ptr<Kernel>> kernels;
};

Store& store() {
  static auto* const all = new Store;
  return *all;
}

class MessageReader {
 public:
  explicit MessageReader(const std::string& bytes) : bytes_(bytes) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    if (bytes_.size() - at_ < sizeof value) end_with(Outcome::LaunchFailed);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (bytes_.size() - at_ < size) end_with(Outcome::LaunchFailed);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

void take(const std::string& message) {
  MessageReader reader(message);
  switch (Message{reader.number()}) {
    case Message::Module: {
      const std::uint64_t number = reader.number();
      auto module = std::make_unique<ModuleText>();
      module->text = reader.text();
      for (std::uint64_t left = reader.number(); left > 0; --left) {
        std::string name = reader.text();
        module->symbols.emplace(std::move(name), reader.number());
      }
      const std::lock_guard lock(store().lock);
      store().modules[number] = std::move(module);
      break;
    }
    case Message::Kernel: {
      const std::uint64_t number = reader.number();
      auto kernel = std::make_unique<Kernel>();
      kernel->module = reader.number();
      kernel->name = reader.text();
      const std::lock_guard lock(store().lock);
      store().kernels[number] = std::move(kernel);
      break;
    }
    case Message::Forget: {
      const std::lock_guard lock(store().lock);
      for (std::uint64_t left = reader.number(); left > 0; --left) {
        const std::uint64_t module = reader.number();
        std::erase_if(store().kernels,
                      [module](const auto& entry) { return entry.second->module == module; });
        store().modules.erase(module);
      }
      break;
    }
    case Message::Changes:
      apply_changes(control->changes_posted.load(std::memory_order_acquire));
      break;
  }
  store().arrived.notify_all();
}

}  // namespace

void take_messages() {
  Window& window = control->window;
  std::string message;
  for (;;) {
    while (window.full.load(std::memory_order_acquire) == 0) futex_wait(window.full, 0);
    message.append(reinterpret_cast<const char*>(window.data), window.bytes);
    const bool last = window.last != 0;
    window.full.store(0, std::memory_order_release);
    futex_wake(window.full, 1);
    if (!last) continue;
    take(message);
    message.clear();
  }
}

KernelCode& kernel_code(std::uint64_t number) {
  Kernel* kernel = nullptr;
  ModuleText* module = nullptr;
  {
    // The host sends before it posts, so this waits for moments at most.
    std::unique_lock lock(store().lock);
    store().arrived.wait(lock, [&] { return store().kernels.count(number) != 0; });
    kernel = store().kernels[number].get();
    module = store().modules[kernel->module].get();
  }
  std::call_once(kernel->made, [&] { kernel->code = make_kernel(*module, kernel->name); });
  return *kernel->code;
}

}  // namespace runner
