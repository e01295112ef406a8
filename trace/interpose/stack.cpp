// SPDX-License-Identifier: MIT
// Call stacks, if they are asked for: return addresses from the unwinder that is linked in, and the frames of
// a Python interpreter from its own public functions, found by name.
//
// Python is asked only if the calling thread holds its lock. The lock must not be waited for: a thread that
// waits here may hold another lock that the owner of Python's lock needs. The frames that Python returns then
// belong to this thread.
#include <dlfcn.h>
#include <unwind.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "call.hpp"

namespace trace::interpose {
namespace {

constexpr std::size_t kMostFrames = 64;
constexpr std::size_t kMostPythonFrames = 32;
constexpr std::size_t kPythonBytes = 4096;

struct Walk {
  std::uintptr_t from;  // return address of the program's call; what lies before is the tracer's own
  std::uintptr_t frames[kMostFrames];
  std::size_t count;
};

_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context);
  if (walk.count == 0 && address != walk.from) return _URC_NO_REASON;
  if (address == 0 || walk.count == kMostFrames) return _URC_END_OF_STACK;
  walk.frames[walk.count++] = address;
  return _URC_NO_REASON;
}

// From the stable part of Python's C API; objects are only passed on.
struct Python {
  int (*holds_lock)();
  void* (*frame)();
  void* (*back)(void*);
  void* (*code)(void*);
  int (*line)(void*);
  void* (*attribute)(void*, const char*);
  const char* (*text)(void*, std::ptrdiff_t*);
  void (*release)(void*);

  template <class Function>
  static bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
  }
  bool find_all() {
    return find(holds_lock, "PyGILState_Check") && find(frame, "PyEval_GetFrame") &&
           find(back, "PyFrame_GetBack") && find(code, "PyFrame_GetCode") &&
           find(line, "PyFrame_GetLineNumber") && find(attribute, "PyObject_GetAttrString") &&
           find(text, "PyUnicode_AsUTF8AndSize") && find(release, "Py_DecRef");
  }
};

class PythonText {
 public:
  explicit PythonText(char* at) : at_(at) {}
  std::size_t size() const { return size_; }

  void frame(const Python& python, void* frame) {
    void* const code = python.code(frame);
    if (code == nullptr) return;
    attribute(python, code, "co_name");
    add("\t", 1);
    attribute(python, code, "co_filename");
    char number[16];
    const int length = std::snprintf(number, sizeof number, "\t%d\n", python.line(frame));
    add(number, length > 0 ? static_cast<std::size_t>(length) : 0);
    python.release(code);
  }

 private:
  void add(const char* text, std::size_t bytes) {
    if (bytes > kPythonBytes - size_) return;
    std::memcpy(at_ + size_, text, bytes);
    size_ += bytes;
  }
  void attribute(const Python& python, void* object, const char* name) {
    void* const value = python.attribute(object, name);
    if (value == nullptr) return;
    std::ptrdiff_t bytes = 0;
    const char* const text = python.text(value, &bytes);
    if (text != nullptr && bytes > 0) add(text, static_cast<std::size_t>(bytes));
    python.release(value);
  }

  char* at_;
  std::size_t size_ = 0;
};

std::size_t python_frames(char* at) {
  Python python{};
  if (!python.find_all() || python.holds_lock() == 0) return 0;
  PythonText text(at);
  void* frame = python.frame();  // borrowed; those further out are not
  for (std::size_t i = 0; frame != nullptr && i < kMostPythonFrames; ++i) {
    text.frame(python, frame);
    void* const outer = python.back(frame);
    if (i > 0) python.release(frame);
    frame = outer;
    if (i + 1 == kMostPythonFrames && frame != nullptr) python.release(frame);
  }
  return text.size();
}

}  // namespace

void write_stack(std::uintptr_t address) {
  const int saved = errno;
  Thread& thread = this_thread;
  Walk walk{address, {}, 0};
  _Unwind_Backtrace(take_frame, &walk);
  if (walk.count == 0) walk.frames[walk.count++] = address;  // no unwind information
  // From the outermost frame on, so that the module of the call itself is the one that is remembered.
  for (std::size_t i = walk.count; i-- > 0;)
    if (!thread.knows_module(walk.frames[i])) note_module(walk.frames[i]);
  char text[sizeof walk.frames + kPythonBytes];
  std::memcpy(text, walk.frames, walk.count * sizeof(std::uintptr_t));
  const std::size_t bytes = walk.count * sizeof(std::uintptr_t);
  write_plain(wire::RecordKind::Stack, walk.count, text, bytes + python_frames(text + bytes));
  errno = saved;
}

}  // namespace trace::interpose
