// SPDX-License-Identifier: MIT
// Memory and events that one process lends to another: what goes wrong, and that nothing is believed.
//
// The parent lends, a child of fork borrows; each starts its driver after the fork. What a program sees when
// all is well is in tests/whole/conformance/ipc_checks.cpp; this asks for what is this driver's own choice.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <array>
#include <csignal>
#include <ctime>
#include <functional>

#include "support.hpp"

namespace {

// What goes from the lender to the borrower and back: bytes, through two pipes.
class Line {
 public:
  Line() { good_ = pipe(ends_) == 0; }
  template <typename Value>
  bool send(const Value& value) const {
    return good_ && write(ends_[1], &value, sizeof value) == static_cast<ssize_t>(sizeof value);
  }
  template <typename Value>
  bool receive(Value& value) const {
    return good_ && read(ends_[0], &value, sizeof value) == static_cast<ssize_t>(sizeof value);
  }

 private:
  int ends_[2] = {-1, -1};
  bool good_ = false;
};

bool start_driver() {
  CUcontext context = nullptr;
  return cuInit(0) == CUDA_SUCCESS && cuCtxCreate(&context, nullptr, 0, 0) == CUDA_SUCCESS;
}

// Both programs are children, so that this process has no driver of its own. Their results, 0 for good.
std::pair<int, int> lend_and_borrow(const std::function<int(Line&, Line&)>& lender,
                                    const std::function<int(Line&, Line&)>& borrower) {
  Line there, back;
  const auto start = [&](const std::function<int(Line&, Line&)>& program) {
    const pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(60);
    _exit(start_driver() ? program(there, back) : 99);
  };
  const auto status_of = [](pid_t child) {
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  const pid_t first = start(lender);
  const pid_t second = start(borrower);
  const int borrowed = status_of(second);
  return {status_of(first), borrowed};
}

constexpr unsigned lazy = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS;

// Lends memory with a 7 in it, and waits until the other is done.
int lend_a_seven(Line& there, Line& back) {
  CUdeviceptr memory = 0;
  CUipcMemHandle handle{};
  if (cuMemAlloc(&memory, 1000) != CUDA_SUCCESS || cuMemsetD32(memory, 7, 250) != CUDA_SUCCESS) return 1;
  if (cuIpcGetMemHandle(&handle, memory) != CUDA_SUCCESS || !there.send(handle)) return 2;
  int done = 0;
  return back.receive(done) ? 0 : 3;
}

TEST(Ipc, opened_twice_it_is_the_same_address_until_it_is_closed_twice) {
  const auto borrower = [](Line& there, Line& back) {
    CUipcMemHandle handle{};
    CUdeviceptr first = 0, second = 0;
    int value = 0;
    if (!there.receive(handle)) return 1;
    if (cuIpcOpenMemHandle(&first, handle, lazy) != CUDA_SUCCESS) return 2;
    if (cuIpcOpenMemHandle(&second, handle, lazy) != CUDA_SUCCESS || first != second) return 3;
    if (cuIpcCloseMemHandle(first) != CUDA_SUCCESS) return 4;
    if (cuMemcpyDtoH(&value, second, sizeof value) != CUDA_SUCCESS || value != 7) return 5;
    if (cuIpcCloseMemHandle(first) != CUDA_SUCCESS) return 6;
    if (cuMemcpyDtoH(&value, second, sizeof value) != CUDA_ERROR_INVALID_VALUE) return 7;
    return back.send(1) ? 0 : 8;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lend_a_seven, borrower));
}

TEST(Ipc, what_is_borrowed_cannot_be_freed_or_lent_on_and_ends_where_it_ended) {
  const auto borrower = [](Line& there, Line& back) {
    CUipcMemHandle handle{}, again{};
    CUdeviceptr memory = 0, base = 0;
    std::size_t size = 0;
    char bytes[1001] = {};
    if (!there.receive(handle) || cuIpcOpenMemHandle(&memory, handle, lazy) != CUDA_SUCCESS) return 1;
    if (cuMemFree(memory) != CUDA_ERROR_INVALID_VALUE) return 2;
    if (cuMemFreeAsync(memory, nullptr) != CUDA_ERROR_INVALID_VALUE) return 3;
    if (cuIpcGetMemHandle(&again, memory) != CUDA_ERROR_INVALID_VALUE) return 4;
    if (cuMemcpyDtoH(bytes, memory, 1000) != CUDA_SUCCESS) return 5;
    if (cuMemcpyDtoH(bytes, memory, 1001) != CUDA_ERROR_INVALID_VALUE) return 6;
    if (cuMemGetAddressRange(&base, &size, memory + 5) != CUDA_SUCCESS || base != memory || size != 1000)
      return 7;
    return back.send(1) ? 0 : 8;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lend_a_seven, borrower));
}

// Its descriptor, which the other process takes out of this one, as a program may that runs for the same
// user.
struct ExportedFile {
  pid_t process = 0;
  int descriptor = -1;
};

CUresult open_external(int descriptor, CUdeviceptr* address) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC file{};
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC part{};
  CUexternalMemory memory = nullptr;
  file.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  file.size = part.size = std::size_t{2} << 20;
  file.handle.fd = descriptor;
  if (const CUresult error = cuImportExternalMemory(&memory, &file)) return error;
  if (const CUresult error = cuExternalMemoryGetMappedBuffer(address, memory, &part)) return error;
  return cuDestroyExternalMemory(memory);
}

TEST(Ipc, exported_memory_of_another_process_is_external_memory_here) {
  const auto lender = [](Line& there, Line& back) {
    CUmemAllocationProp said{};
    said.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    said.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    said.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle memory = 0;
    ExportedFile out{.process = getpid()};
    int own = -1, done = 0;
    unsigned value = 0;
    CUdeviceptr address = 0;
    if (cuMemCreate(&memory, std::size_t{2} << 20, &said, 0) != CUDA_SUCCESS) return 1;
    for (int* const descriptor : {&out.descriptor, &own}) {
      if (cuMemExportToShareableHandle(descriptor, memory, said.requestedHandleTypes, 0) != CUDA_SUCCESS)
        return 2;
    }
    if (open_external(own, &address) != CUDA_SUCCESS) return 3;
    if (cuMemsetD32(address, 7, 4) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS) return 4;
    if (!there.send(out) || !back.receive(done)) return 5;
    if (cuMemcpyDtoH(&value, address, sizeof value) != CUDA_SUCCESS || value != 9) return 6;
    return cuMemFree(address) == CUDA_SUCCESS && cuMemRelease(memory) == CUDA_SUCCESS ? 0 : 7;
  };
  const auto borrower = [](Line& there, Line& back) {
    ExportedFile in;
    CUdeviceptr address = 0;
    unsigned value = 0;
    if (!there.receive(in)) return 1;
    const std::string path = "/proc/" + std::to_string(in.process) + "/fd/" + std::to_string(in.descriptor);
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return 2;
    if (open_external(descriptor, &address) != CUDA_SUCCESS) return 3;
    if (fcntl(descriptor, F_GETFD) >= 0) return 4;
    if (cuMemcpyDtoH(&value, address, sizeof value) != CUDA_SUCCESS || value != 7) return 5;
    if (cuMemsetD32(address, 9, 4) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS) return 6;
    if (cuMemFree(address) != CUDA_SUCCESS) return 7;
    return back.send(1) ? 0 : 8;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, borrower));
}

TEST(Ipc, a_handle_that_nobody_made_is_refused) {
  const auto borrower = [](Line& there, Line& back) {
    CUipcMemHandle handle{}, zeros{};
    CUipcEventHandle of_event{};
    CUdeviceptr memory = 0;
    CUevent event = nullptr;
    if (!there.receive(handle)) return 1;
    if (cuIpcOpenMemHandle(&memory, zeros, lazy) != CUDA_ERROR_INVALID_HANDLE) return 2;
    if (cuIpcOpenMemHandle(&memory, handle, 0) != CUDA_ERROR_INVALID_VALUE) return 3;
    if (cuIpcOpenMemHandle(nullptr, handle, lazy) != CUDA_ERROR_INVALID_VALUE) return 4;
    // One bit wrong anywhere, and it is another handle; the last bytes say nothing.
    for (std::size_t at = 0; at < 48; ++at) {
      CUipcMemHandle wrong = handle;
      wrong.reserved[at] = static_cast<char>(wrong.reserved[at] ^ 1);
      const CUresult result = cuIpcOpenMemHandle(&memory, wrong, lazy);
      // The process next to the lender may be this one.
      if (result != CUDA_ERROR_INVALID_HANDLE && (at != 8 || result != CUDA_ERROR_INVALID_CONTEXT))
        return static_cast<int>(100 + at);
    }
    std::memcpy(&of_event, &handle, sizeof handle);
    if (cuIpcOpenEventHandle(&event, of_event) != CUDA_ERROR_INVALID_HANDLE) return 5;
    if (cuIpcOpenMemHandle(&memory, handle, lazy) != CUDA_SUCCESS) return 6;
    return back.send(1) ? 0 : 7;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lend_a_seven, borrower));
}

TEST(Ipc, a_handle_is_gone_with_its_memory_and_what_is_open_stays) {
  const auto lender = [](Line& there, Line& back) {
    CUdeviceptr memory = 0;
    CUipcMemHandle handle{};
    int step = 0;
    if (cuMemAlloc(&memory, 4 << 20) != CUDA_SUCCESS) return 1;
    if (cuIpcGetMemHandle(&handle, memory) != CUDA_SUCCESS || !there.send(handle)) return 2;
    if (!back.receive(step) || cuMemFree(memory) != CUDA_SUCCESS || !there.send(1)) return 3;
    return back.receive(step) ? 0 : 4;
  };
  const auto borrower = [](Line& there, Line& back) {
    CUipcMemHandle handle{};
    CUdeviceptr memory = 0, again = 0;
    int step = 0;
    if (!there.receive(handle) || cuIpcOpenMemHandle(&memory, handle, lazy) != CUDA_SUCCESS) return 1;
    if (!back.send(1) || !there.receive(step)) return 2;
    if (cuMemsetD32(memory, 1, 1 << 20) != CUDA_SUCCESS || cuIpcCloseMemHandle(memory) != CUDA_SUCCESS)
      return 3;
    if (cuIpcOpenMemHandle(&again, handle, lazy) != CUDA_ERROR_INVALID_HANDLE) return 4;
    return back.send(2) ? 0 : 5;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, borrower));
}

TEST(Ipc, what_is_open_outlives_the_lender) {
  const auto lender = [](Line& there, Line& back) {
    const int result = lend_a_seven(there, back);
    return result;
  };
  const auto borrower = [](Line& there, Line& back) {
    CUipcMemHandle handle{};
    CUdeviceptr memory = 0, again = 0;
    int value = 0;
    if (!there.receive(handle) || cuIpcOpenMemHandle(&memory, handle, lazy) != CUDA_SUCCESS) return 1;
    if (!back.send(1)) return 2;
    CUdeviceptr other = 0;
    // Closed and opened anew, a handle needs its lender again.
    for (int i = 0; i < 1000; ++i) {
      if (cuMemAlloc(&other, 64) != CUDA_SUCCESS) return 3;
      if (cuMemcpyDtoH(&value, memory, sizeof value) != CUDA_SUCCESS || value != 7) return 4;
      usleep(10'000);
      if (cuIpcCloseMemHandle(memory) != CUDA_SUCCESS) return 5;
      const CUresult opened = cuIpcOpenMemHandle(&again, handle, lazy);
      if (opened == CUDA_ERROR_INVALID_HANDLE) return 0;
      if (opened != CUDA_SUCCESS) return 6;
      memory = again;
    }
    return 7;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, borrower));
}

TEST(Ipc, nobody_waits_for_an_event_of_a_dead_process) {
  const auto lender = [](Line& there, Line& back) {
    CUevent event = nullptr;
    CUipcEventHandle handle{};
    CUstream stream = nullptr;
    int step = 0;
    if (cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return 1;
    if (cuIpcGetEventHandle(&handle, event) != CUDA_SUCCESS || !there.send(handle)) return 2;
    if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS || !back.receive(step)) return 3;
    cuLaunchHostFunc(stream, [](void*) { pause(); }, nullptr);
    if (cuEventRecord(event, stream) != CUDA_SUCCESS || !there.send(1) || !back.receive(step)) return 4;
    raise(SIGKILL);
    return 5;
  };
  const auto borrower = [](Line& there, Line& back) {
    CUipcEventHandle handle{};
    CUevent event = nullptr;
    int step = 0;
    if (!there.receive(handle) || cuIpcOpenEventHandle(&event, handle) != CUDA_SUCCESS) return 1;
    if (cuEventQuery(event) != CUDA_SUCCESS || !back.send(1)) return 2;  // never recorded
    if (!there.receive(step) || cuEventQuery(event) != CUDA_ERROR_NOT_READY) return 3;
    if (!back.send(1)) return 4;
    return cuEventSynchronize(event) == CUDA_SUCCESS ? 0 : 5;
  };
  // The lender is a zombie while the borrower waits: nobody has asked for its end yet.
  EXPECT_EQ(std::pair(-SIGKILL, 0), lend_and_borrow(lender, borrower));
}

TEST(Ipc, an_event_goes_both_ways_and_streams_wait_for_it) {
  const auto lender = [](Line& there, Line& back) {
    CUevent event = nullptr;
    CUipcEventHandle handle{};
    CUstream stream = nullptr;
    int step = 0;
    if (cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING) != CUDA_SUCCESS) return 1;
    if (cuIpcGetEventHandle(&handle, event) != CUDA_SUCCESS || !there.send(handle)) return 2;
    if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS || !back.receive(step)) return 3;
    if (cuStreamWaitEvent(stream, event, 0) != CUDA_SUCCESS) return 4;
    if (cuStreamQuery(stream) != CUDA_ERROR_NOT_READY || !there.send(2)) return 5;
    return cuStreamSynchronize(stream) == CUDA_SUCCESS && cuEventQuery(event) == CUDA_SUCCESS ? 0 : 6;
  };
  const auto borrower = [](Line& there, Line& back) {
    CUipcEventHandle handle{};
    CUevent event = nullptr;
    CUstream stream = nullptr;
    if (!there.receive(handle) || cuIpcOpenEventHandle(&event, handle) != CUDA_SUCCESS) return 1;
    if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) return 2;
    const auto until_the_other_waits = [](void* line) {
      int step = 0;
      static_cast<Line*>(line)->receive(step);
    };
    cuLaunchHostFunc(stream, until_the_other_waits, &there);
    if (cuEventRecord(event, stream) != CUDA_SUCCESS || !back.send(1)) return 3;
    if (cuEventSynchronize(event) != CUDA_SUCCESS) return 4;
    return cuEventDestroy(event) == CUDA_SUCCESS ? 0 : 5;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, borrower));
}

// What stands for a pool in another process: here the lender's file is opened through /proc, as one that came
// through a socket would be.
struct SharedPool {
  pid_t process;
  int descriptor;
  CUmemPoolPtrExportData data;
};

TEST(Ipc, a_pool_is_imported_with_what_was_allocated_from_it) {
  const auto lender = [](Line& there, Line& back) {
    CUmemPoolProps said{};
    said.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    said.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    said.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemoryPool pool = nullptr;
    CUdeviceptr memory = 0;
    SharedPool shared{getpid(), -1, {}};
    int value = 0;
    if (cuMemPoolCreate(&pool, &said) != CUDA_SUCCESS) return 1;
    if (cuMemAllocFromPoolAsync(&memory, 1000, pool, nullptr) != CUDA_SUCCESS) return 2;
    if (cuMemsetD32(memory, 7, 1) != CUDA_SUCCESS) return 3;
    if (cuMemPoolExportToShareableHandle(&shared.descriptor, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                         0) != CUDA_SUCCESS)
      return 4;
    if (cuMemPoolExportPointer(&shared.data, memory) != CUDA_SUCCESS || !there.send(shared)) return 5;
    int done = 0;
    if (!back.receive(done)) return 6;
    return cuMemcpyDtoH(&value, memory, 4) == CUDA_SUCCESS && value == 8 ? 0 : 7;
  };
  const auto borrower = [](Line& there, Line& back) {
    SharedPool shared{};
    if (!there.receive(shared)) return 1;
    const std::string path =
        "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.descriptor);
    void* const file = reinterpret_cast<void*>(static_cast<std::intptr_t>(open(path.c_str(), O_RDWR)));
    CUmemoryPool pool = nullptr;
    CUdeviceptr memory = 0, fresh = 0;
    int value = 0;
    if (cuMemPoolImportFromShareableHandle(&pool, file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) !=
        CUDA_SUCCESS)
      return 2;
    if (cuMemPoolImportPointer(&memory, pool, &shared.data) != CUDA_SUCCESS) return 3;
    if (cuMemcpyDtoH(&value, memory, 4) != CUDA_SUCCESS || value != 7) return 4;
    if (cuMemsetD32(memory, 8, 1) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS) return 5;
    if (cuMemAllocFromPoolAsync(&fresh, 64, pool, nullptr) == CUDA_SUCCESS) return 6;
    if (cuMemFreeAsync(memory, nullptr) != CUDA_SUCCESS) return 7;
    if (cuMemcpyDtoH(&value, memory, 4) != CUDA_ERROR_INVALID_VALUE) return 8;
    shared.data.reserved[0] ^= 1;
    if (cuMemPoolImportPointer(&memory, pool, &shared.data) == CUDA_SUCCESS) return 9;
    return back.send(1) ? 0 : 10;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, borrower));
}

constexpr CUmemAllocationHandleType of_file = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr std::size_t unit = std::size_t{2} << 20;

CUmemGenericAllocationHandle create_shareable() {
  CUmemAllocationProp said{};
  said.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  said.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  said.requestedHandleTypes = of_file;
  CUmemGenericAllocationHandle handle = 0;
  return cuMemCreate(&handle, unit, &said, 0) == CUDA_SUCCESS ? handle : 0;
}

CUresult import_memory(CUmemGenericAllocationHandle& handle, int descriptor) {
  return cuMemImportFromShareableHandle(
      &handle, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)), of_file);
}

// Where it can be read and written; 0 when that went wrong.
CUdeviceptr map_memory(CUmemGenericAllocationHandle handle) {
  CUdeviceptr address = 0;
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  const bool done = cuMemAddressReserve(&address, unit, 0, 0, 0) == CUDA_SUCCESS &&
                    cuMemMap(address, unit, 0, handle, 0) == CUDA_SUCCESS &&
                    cuMemSetAccess(address, unit, &access, 1) == CUDA_SUCCESS;
  return done ? address : 0;
}

struct SharedFile {
  pid_t process;
  int descriptor;
};

// A descriptor of the lender's file, as one that came through a socket would be.
int take_file(const SharedFile& shared) {
  const std::string path =
      "/proc/" + std::to_string(shared.process) + "/fd/" + std::to_string(shared.descriptor);
  return open(path.c_str(), O_RDWR | O_CLOEXEC);
}

TEST(Ipc, memory_of_a_descriptor_outlives_the_process_that_created_it) {
  const auto lender = [](Line& there, Line& back) {
    const CUmemGenericAllocationHandle handle = create_shareable();
    const CUdeviceptr address = map_memory(handle);
    SharedFile shared{getpid(), -1};
    if (address == 0 || cuMemsetD32(address, 7, 1) != CUDA_SUCCESS) return 1;
    if (cuMemExportToShareableHandle(&shared.descriptor, handle, of_file, 0) != CUDA_SUCCESS) return 2;
    int done = 0, value = 0;
    if (!there.send(shared) || !back.receive(done)) return 3;
    return cuMemcpyDtoH(&value, address, 4) == CUDA_SUCCESS && value == 8 ? 0 : 4;
  };
  const auto borrower = [](Line& there, Line& back) {
    SharedFile shared{};
    if (!there.receive(shared)) return 1;
    const int file = take_file(shared);
    CUmemGenericAllocationHandle handle = 0;
    int value = 0;
    if (import_memory(handle, file) != CUDA_SUCCESS) return 2;
    close(file);
    const CUdeviceptr address = map_memory(handle);
    if (address == 0 || cuMemRelease(handle) != CUDA_SUCCESS) return 3;
    if (cuMemcpyDtoH(&value, address, 4) != CUDA_SUCCESS || value != 7) return 4;
    if (cuMemsetD32(address, 8, 1) != CUDA_SUCCESS || cuCtxSynchronize() != CUDA_SUCCESS) return 5;
    // Nothing of an ended process is open any more, also before its parent has noticed.
    if (!back.send(1)) return 6;
    for (SharedFile gone = shared; take_file(gone) >= 0;) {
      const timespec moment{0, 1'000'000};
      nanosleep(&moment, nullptr);
    }
    if (cuMemsetD32(address, 9, 1) != CUDA_SUCCESS) return 7;
    return cuMemcpyDtoH(&value, address, 4) == CUDA_SUCCESS && value == 9 ? 0 : 8;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, borrower));
}

// A sealed memory file of the right form, with a label that says something else.
TEST(Ipc, a_descriptor_with_a_forged_label_is_refused) {
  const auto lender = [](Line&, Line&) {
    const CUmemGenericAllocationHandle handle = create_shareable();
    int descriptor = -1;
    if (cuMemExportToShareableHandle(&descriptor, handle, of_file, 0) != CUDA_SUCCESS) return 1;
    using Label = std::array<std::uint64_t, 4>;
    Label label{};
    if (pread(descriptor, label.data(), sizeof label, unit) != sizeof label) return 2;
    const auto forged = [&](std::uint64_t size, const Label& said, bool sealed) {
      const int file = memfd_create("forged", MFD_ALLOW_SEALING);
      if (ftruncate(file, static_cast<off_t>(size + 4096)) != 0 ||
          pwrite(file, said.data(), sizeof said, static_cast<off_t>(size)) != sizeof said ||
          (sealed && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0))
        return CUDA_ERROR_ASSERT;
      CUmemGenericAllocationHandle none = 0;
      const CUresult error = import_memory(none, file);
      close(file);
      return error;
    };
    if (forged(unit, label, true) != CUDA_SUCCESS) return 3;
    if (forged(unit, label, false) != CUDA_ERROR_UNKNOWN) return 4;  // it could become shorter
    const auto with = [&](std::size_t word, std::uint64_t value) {
      Label wrong = label;
      wrong[word] = value;
      return wrong;
    };
    if (forged(unit, with(0, label[0] ^ 1), true) != CUDA_ERROR_UNKNOWN) return 5;
    if (forged(unit, with(1, unit * 2), true) != CUDA_ERROR_UNKNOWN) return 6;
    if (forged(unit / 2, with(1, unit / 2), true) != CUDA_ERROR_UNKNOWN) return 7;
    if (forged(unit, with(2, 0x7f), true) != CUDA_ERROR_UNKNOWN) return 8;  // the kind of memory
    return forged(unit, with(3, 77), true) == CUDA_ERROR_INVALID_DEVICE ? 0 : 9;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, [](Line&, Line&) { return 0; }));
}

TEST(Ipc, a_descriptor_that_the_program_has_closed_under_the_driver_is_noticed) {
  const auto lender = [](Line&, Line&) {
    const CUmemGenericAllocationHandle handle = create_shareable();
    int descriptor = -1;
    if (handle == 0) return 1;
    for (int other = 3; other < 100; ++other) close(other);
    if (cuMemExportToShareableHandle(&descriptor, handle, of_file, 0) != CUDA_ERROR_OPERATING_SYSTEM)
      return 2;
    CUdeviceptr address = 0;
    if (cuMemAddressReserve(&address, unit, 0, 0, 0) != CUDA_SUCCESS) return 3;
    return cuMemMap(address, unit, 0, handle, 0) == CUDA_ERROR_OPERATING_SYSTEM ? 0 : 4;
  };
  EXPECT_EQ(std::pair(0, 0), lend_and_borrow(lender, [](Line&, Line&) { return 0; }));
}

}  // namespace
