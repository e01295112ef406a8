// SPDX-License-Identifier: MIT
// See program.hpp. The register of programs is never destroyed, because threads that outlive main() may still
// use them.
#include "program.hpp"

namespace nvrtc {
namespace {

struct Register {
  std::mutex mutex;
  std::map<nvrtcProgram, std::shared_ptr<Program>> programs;
};

Register& all() {
  static auto* const programs = new Register;
  return *programs;
}

}  // namespace

nvrtcProgram enter(std::shared_ptr<Program> program) {
  const auto handle = reinterpret_cast<nvrtcProgram>(program.get());
  const std::lock_guard lock(all().mutex);
  all().programs.emplace(handle, std::move(program));
  return handle;
}

std::shared_ptr<Program> find(nvrtcProgram handle) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().programs.find(handle);
  return found == all().programs.end() ? nullptr : found->second;
}

bool leave(nvrtcProgram handle) {
  std::shared_ptr<Program> last;  // destroyed after the lock is released
  const std::lock_guard lock(all().mutex);
  const auto found = all().programs.find(handle);
  if (found == all().programs.end()) return false;
  last = std::move(found->second);
  all().programs.erase(found);
  return true;
}

}  // namespace nvrtc
