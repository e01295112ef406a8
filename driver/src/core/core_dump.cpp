// SPDX-License-Identifier: MIT
// See core_dump.hpp: the environment's settings, and what the file says.
#include "core/core_dump.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

#include "core/context.hpp"

namespace driver {
namespace {

std::string host_name() {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0) return "localhost";
  return name;
}

// The manual's names: %h is the host, %p the process, %t the time.
std::string expanded(const std::string& pattern) {
  std::string name;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char sort = pattern[at] == '%' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
    if (sort != 'h' && sort != 'p' && sort != 't') {
      name += pattern[at];
      continue;
    }
    name += sort == 'h'   ? host_name()
            : sort == 'p' ? std::to_string(getpid())
                          : std::to_string(std::time(nullptr));
    ++at;
  }
  return name;
}

// Words separated by commas, as the manual of the debugger names them; others are passed over.
unsigned flags_of(std::string_view text) {
  constexpr std::pair<std::string_view, unsigned> kWords[] = {
      {"skip_nonrelocated_elf_images", CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES},
      {"skip_global_memory", CU_COREDUMP_SKIP_GLOBAL_MEMORY},
      {"skip_shared_memory", CU_COREDUMP_SKIP_SHARED_MEMORY},
      {"skip_local_memory", CU_COREDUMP_SKIP_LOCAL_MEMORY},
      {"skip_abort", CU_COREDUMP_SKIP_ABORT},
      {"skip_constbank_memory", CU_COREDUMP_SKIP_CONSTBANK_MEMORY}};
  unsigned flags = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    for (const auto& [word, flag] : kWords)
      if (text.substr(0, end) == word) flags |= flag;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return flags;
}

void say(std::FILE* file, const char* what, const unsigned (&three)[3]) {
  std::fprintf(file, "%s: %u %u %u\n", what, three[0], three[1], three[2]);
}

void say_bytes(std::FILE* file, const char* what, const std::string& bytes) {
  std::fprintf(file, "%s:", what);
  for (const unsigned char byte : bytes) std::fprintf(file, " %02x", byte);
  std::fprintf(file, "\n");
}

}  // namespace

CoreDumps& CoreDumps::get() {
  static auto* const all = new CoreDumps;  // leaked: threads may be in a call at the end of the process
  return *all;
}

CoreDumps::CoreDumps() {
  for (auto& setting : of_process_) setting.emplace();
  of_process_[CU_COREDUMP_TRIGGER_HOST]->number = 1;
  constexpr std::pair<const char*, CUcoredumpSettings> kVariables[] = {
      {"CUDA_ENABLE_COREDUMP_ON_EXCEPTION", CU_COREDUMP_ENABLE_ON_EXCEPTION},
      {"CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION", CU_COREDUMP_TRIGGER_HOST},
      {"CUDA_ENABLE_USER_TRIGGERED_COREDUMP", CU_COREDUMP_ENABLE_USER_TRIGGER},
      {"CUDA_COREDUMP_FILE", CU_COREDUMP_FILE},
      {"CUDA_COREDUMP_PIPE", CU_COREDUMP_PIPE},
      {"CUDA_COREDUMP_GENERATION_FLAGS", CU_COREDUMP_GENERATION_FLAGS}};
  for (const auto& [name, setting] : kVariables) {
    const char* const text = std::getenv(name);
    if (text == nullptr) continue;
    settled_[setting] = true;
    if (is_text(setting))
      of_process_[setting]->text = expanded(text);
    else if (setting == CU_COREDUMP_GENERATION_FLAGS)
      of_process_[setting]->number = flags_of(text);
    else
      of_process_[setting]->number = std::string_view(text) == "1" ? 1 : 0;
  }
  // Truth core_env_more, step 3.
  if (of_process_[CU_COREDUMP_ENABLE_USER_TRIGGER]->number != 0)
    of_process_[CU_COREDUMP_ENABLE_ON_EXCEPTION]->number = 1;
}

const CoreDumps::Value& CoreDumps::find(const Context* context, CUcoredumpSettings setting) {
  const auto own = of_contexts_.find(context);
  return own != of_contexts_.end() && own->second[setting] ? *own->second[setting] : *of_process_[setting];
}

CoreDumps::Value CoreDumps::value(const Context* context, CUcoredumpSettings setting) {
  const std::lock_guard lock(lock_);
  if (setting != CU_COREDUMP_LIGHTWEIGHT) return find(context, setting);
  // Only another word for flags (truth core_flags).
  const unsigned flags = find(context, CU_COREDUMP_GENERATION_FLAGS).number;
  return {(flags & CU_COREDUMP_LIGHTWEIGHT_FLAGS) == CU_COREDUMP_LIGHTWEIGHT_FLAGS ? 1U : 0U, {}};
}

void CoreDumps::set(const Context* context, CUcoredumpSettings setting, Value value) {
  const std::lock_guard lock(lock_);
  if (setting == CU_COREDUMP_LIGHTWEIGHT) {
    setting = CU_COREDUMP_GENERATION_FLAGS;
    const unsigned flags = find(context, setting).number;
    constexpr unsigned kLight = CU_COREDUMP_LIGHTWEIGHT_FLAGS;
    value.number = value.number != 0 ? flags | kLight : flags & ~kLight;
  }
  (context != nullptr ? of_contexts_[context] : of_process_)[setting] = std::move(value);
}

void CoreDumps::begin(const Context& context, unsigned flags) {
  const std::lock_guard lock(lock_);
  Settings& own = of_contexts_[&context];
  own = of_process_;
  if ((flags & (CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE)) != 0)
    own[CU_COREDUMP_ENABLE_ON_EXCEPTION] = Value{1, {}};
}

bool CoreDumps::settled(CUcoredumpSettings setting) const {
  return settled_[setting];
}

void CoreDumps::write(const Context& context, const KernelFault& fault) {
  const std::lock_guard lock(lock_);
  if (find(&context, CU_COREDUMP_ENABLE_ON_EXCEPTION).number == 0) return;
  const unsigned flags = find(&context, CU_COREDUMP_GENERATION_FLAGS).number;
  std::string path = find(&context, CU_COREDUMP_FILE).text;
  if (path.empty()) path = "core.cuda.%h.%p";
  if (std::FILE* const file = std::fopen(expanded(path).c_str(), "we")) {
    const char* name = nullptr;
    const char* text = nullptr;
    cuGetErrorName(fault.error, &name);
    cuGetErrorString(fault.error, &text);
    std::fprintf(file, "driverlab core dump 1\nprocess: %d\ndevice: %d\ncontext: %llu\nerror: %d %s (%s)\n",
                 getpid(), context.device().ordinal(), static_cast<unsigned long long>(context.id()),
                 fault.error, name != nullptr ? name : "?", text != nullptr ? text : "?");
    if (fault.address)
      std::fprintf(file, "address: 0x%llx\n", static_cast<unsigned long long>(*fault.address));
    if (!fault.kernel.empty()) {
      std::fprintf(file, "kernel: %s\n", fault.kernel.c_str());
      say(file, "grid", fault.grid);
      say(file, "block", fault.block);
      std::fprintf(file, "dynamic shared memory: %u\n", fault.dynamic_shared);
      if ((flags & CU_COREDUMP_SKIP_CONSTBANK_MEMORY) == 0) say_bytes(file, "parameters", fault.parameters);
      if ((flags & CU_COREDUMP_SKIP_NONRELOCATED_ELF_IMAGES) == 0)
        std::fprintf(file, "code:\n%s", fault.ptx.c_str());
    }
    std::fclose(file);
  }
  const bool goes_on =
      (flags & CU_COREDUMP_SKIP_ABORT) != 0 || find(&context, CU_COREDUMP_TRIGGER_HOST).number == 0;
  if (!goes_on) std::abort();
}

}  // namespace driver
