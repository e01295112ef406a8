// SPDX-License-Identifier: MIT
// Memory and events of one process used by another. The other is this program's own child, forked before
// either has started the driver. Must not depend on how handles travel: the suite sends them through a pipe,
// as bytes.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "support.hpp"

namespace conformance {
namespace {

// One direction; each process keeps only the end that it uses, so that the end of one is noticed by the
// other.
class Pipe {
 public:
  Pipe() {
    if (pipe(ends_) != 0) end_test();
  }
  void keep_reading() { close(std::exchange(ends_[1], -1)); }
  void keep_writing() { close(std::exchange(ends_[0], -1)); }

  template <typename Value>
  void send(const Value& value) const {
    if (::write(ends_[1], &value, sizeof value) != static_cast<ssize_t>(sizeof value)) end_test();
  }
  template <typename Value>
  [[nodiscard]] Value receive() const {
    Value value{};
    if (::read(ends_[0], &value, sizeof value) != static_cast<ssize_t>(sizeof value)) end_test();
    return value;
  }

 private:
  int ends_[2] = {-1, -1};
};

// Takes file descriptors from one process to the other, whatever their numbers are.
class Socket {
 public:
  Socket() {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) != 0) end_test();
  }

  void send(int descriptor) {
    prepare();
    cmsghdr* const head = CMSG_FIRSTHDR(&message_);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    if (sendmsg(ends_[0], &message_, 0) != 1) end_test();
  }
  int receive() {
    prepare();
    int descriptor = -1;
    if (recvmsg(ends_[1], &message_, 0) != 1 || CMSG_FIRSTHDR(&message_) == nullptr) end_test();
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message_)), sizeof descriptor);
    return descriptor;
  }

 private:
  void prepare() {
    message_ = {};
    message_.msg_iov = &part_;
    message_.msg_iovlen = 1;
    message_.msg_control = control_;
    message_.msg_controllen = sizeof control_;
  }

  int ends_[2] = {-1, -1};
  char byte_ = 0;
  iovec part_{&byte_, 1};
  alignas(cmsghdr) char control_[CMSG_SPACE(sizeof(int))] = {};
  msghdr message_{};
};

// What cuMemCreate is given for memory that can be shared by a descriptor.
CUmemAllocationProp shareable() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return properties;
}

std::size_t unit_of(const CUmemAllocationProp& properties) {
  std::size_t unit = 0;
  NEEDS(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  return unit;
}

// Addresses of its own for memory, that can be read and written.
CUdeviceptr mapped(CUmemGenericAllocationHandle memory, std::size_t size) {
  CUdeviceptr address = 0;
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  NEEDS(cuMemAddressReserve(&address, size, 0, 0, 0));
  NEEDS(cuMemMap(address, size, 0, memory, 0));
  NEEDS(cuMemSetAccess(address, size, &access, 1));
  return address;
}

// Forks; what the child checks is reported like what the parent checks.
template <typename Child, typename Parent>
void in_two_processes(Child child_body, Parent parent_body) {
  Pipe there, back;
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    std::signal(SIGPIPE, SIG_IGN);
    there.keep_reading();
    back.keep_writing();
    try {
      child_body(there, back);
    } catch (const Ended&) {
      _exit(1);
    }
    _exit(0);
  }
  std::signal(SIGPIPE, SIG_IGN);
  there.keep_writing();
  back.keep_reading();
  int status = -1;
  try {
    parent_body(there, back);
  } catch (const Ended&) {
    kill(child, SIGKILL);
  }
  waitpid(child, &status, 0);
  EQUAL(0, status);
}

TEST_ALONE(ipc, one_process_writes_what_another_reads) {
  in_two_processes(
      [](const Pipe& there, const Pipe& back) {
        const auto handle = there.receive<CUipcMemHandle>();
        NEEDS(cuInit(0));
        const Context context;
        CUdeviceptr address = 0;
        NEEDS(cuIpcOpenMemHandle(&address, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        EQUAL(42, read<int>(address + 256));
        write(address, 43);
        const Module module;
        SUCCEEDS(launch(module.function("add"), {}, address + 256, 8U));
        SUCCEEDS(cuCtxSynchronize());
        SUCCEEDS(cuIpcCloseMemHandle(address));
        int value = 0;
        ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&value, address, 4));
        ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(address));
        back.send(1);
      },
      [](const Pipe& there, const Pipe& back) {
        NEEDS(cuInit(0));
        const Context context;
        const CUdeviceptr address = zeros(4096);
        write(address + 256, 42);
        CUipcMemHandle handle{};
        NEEDS(cuIpcGetMemHandle(&handle, address));
        there.send(handle);
        EQUAL(1, back.receive<int>());
        EQUAL(43, read<int>(address));
        EQUAL(50, read<int>(address + 256));
      });
}

TEST_ALONE(ipc, memory_of_a_descriptor_stays_when_its_creator_has_released_it) {
  Socket socket;
  in_two_processes(
      [&socket](const Pipe& there, const Pipe& back) {
        const int descriptor = socket.receive();
        NEEDS(cuInit(0));
        const Context context;
        const std::size_t unit = unit_of(shareable());
        CUmemGenericAllocationHandle memory = 0;
        const auto handle = static_cast<std::intptr_t>(descriptor);
        NEEDS(cuMemImportFromShareableHandle(&memory, reinterpret_cast<void*>(handle),
                                             CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
        close(descriptor);
        CUmemAllocationProp found = shareable();
        SUCCEEDS(cuMemGetAllocationPropertiesFromHandle(&found, memory));
        EQUAL(CU_MEM_HANDLE_TYPE_NONE, found.requestedHandleTypes);
        const CUdeviceptr address = mapped(memory, unit);
        EQUAL(42, read<int>(address));
        const Module module;
        SUCCEEDS(launch(module.function("add"), {}, address, 8U));
        SUCCEEDS(cuCtxSynchronize());
        back.send(1);
        EQUAL(1, there.receive<int>());
        EQUAL(50, read<int>(address));
        SUCCEEDS(cuMemRelease(memory));
        SUCCEEDS(cuMemUnmap(address, unit));
        SUCCEEDS(cuMemAddressFree(address, unit));
      },
      [&socket](const Pipe& there, const Pipe& back) {
        NEEDS(cuInit(0));
        const Context context;
        const std::size_t unit = unit_of(shareable());
        const CUmemAllocationProp properties = shareable();
        CUmemGenericAllocationHandle memory = 0;
        int descriptor = -1;
        NEEDS(cuMemCreate(&memory, unit, &properties, 0));
        const CUdeviceptr address = mapped(memory, unit);
        write(address, 42);
        SUCCEEDS(cuCtxSynchronize());
        NEEDS(cuMemExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
        socket.send(descriptor);
        close(descriptor);
        EQUAL(1, back.receive<int>());
        EQUAL(50, read<int>(address));
        SUCCEEDS(cuMemUnmap(address, unit));
        SUCCEEDS(cuMemRelease(memory));
        SUCCEEDS(cuMemAddressFree(address, unit));
        there.send(1);
      });
}

TEST_ALONE(ipc, an_event_of_one_process_is_waited_for_in_another) {
  in_two_processes(
      [](const Pipe& there, const Pipe& back) {
        const auto handle = there.receive<CUipcEventHandle>();
        NEEDS(cuInit(0));
        const Context context;
        CUevent event = nullptr;
        NEEDS(cuIpcOpenEventHandle(&event, handle));
        EQUAL(1, there.receive<int>());
        ANSWERS(CUDA_ERROR_NOT_READY, cuEventQuery(event));
        SUCCEEDS(cuEventSynchronize(event));
        SUCCEEDS(cuEventQuery(event));
        SUCCEEDS(cuEventDestroy(event));
        back.send(1);
      },
      [](const Pipe& there, const Pipe& back) {
        NEEDS(cuInit(0));
        const Context context;
        const Module module;
        CUstream const stream = make_stream();
        CUevent const event = make_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
        CUipcEventHandle handle{};
        NEEDS(cuIpcGetEventHandle(&handle, event));
        there.send(handle);
        SUCCEEDS(spin(module, 2000, stream));
        SUCCEEDS(cuEventRecord(event, stream));
        there.send(1);
        EQUAL(1, back.receive<int>());
        SUCCEEDS(cuStreamQuery(stream));
      });
}

TEST(ipc, within_one_process_handles_can_be_made_but_not_opened) {
  const Context context;
  CUipcMemHandle memory{};
  CUipcEventHandle shared{};
  const CUdeviceptr address = zeros(4096);
  CUdeviceptr opened = 0;
  CUevent event = nullptr;
  SUCCEEDS(cuIpcGetMemHandle(&memory, address));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT,
          cuIpcOpenMemHandle(&opened, memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&memory, 1234));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(address));
  ANSWERS(CUDA_ERROR_INVALID_HANDLE, cuIpcGetEventHandle(&shared, make_event()));
  SUCCEEDS(cuIpcGetEventHandle(&shared, make_event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)));
  ANSWERS(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenEventHandle(&event, shared));
}

TEST(ipc, only_memory_of_cuMemAlloc_can_be_lent) {
  const Context context;
  CUipcMemHandle first{}, second{}, none{};
  const CUdeviceptr address = zeros(4096);
  SUCCEEDS(cuIpcGetMemHandle(&first, address));
  SUCCEEDS(cuIpcGetMemHandle(&second, address));
  EQUAL(0, std::memcmp(&first, &second, sizeof first));
  ANSWERS(CUDA_SUCCESS, cuIpcGetMemHandle(&second, address + 256));
  EQUAL(0, std::memcmp(&first, &second, sizeof first));
  int capable = 0;
  SUCCEEDS(cuPointerGetAttribute(&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, address));
  EQUAL(1, capable);
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(nullptr, address));

  void* pinned = nullptr;
  CUdeviceptr managed = 0, pooled = 0;
  CUstream const stream = make_stream();
  SUCCEEDS(cuMemAllocHost(&pinned, 4096));
  SUCCEEDS(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  SUCCEEDS(cuMemAllocAsync(&pooled, 4096, stream));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&none, reinterpret_cast<CUdeviceptr>(pinned)));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&none, managed));
  ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&none, pooled));
  SUCCEEDS(cuMemFreeAsync(pooled, stream));
  SUCCEEDS(cuMemFree(managed));
  SUCCEEDS(cuMemFreeHost(pinned));
}

TEST_ALONE(ipc, opened_twice_it_is_the_same_address_until_it_is_closed_twice) {
  in_two_processes(
      [](const Pipe& there, const Pipe& back) {
        const auto handle = there.receive<CUipcMemHandle>();
        NEEDS(cuInit(0));
        const Context context;
        CUdeviceptr first = 0, second = 0;
        ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle(&first, handle, 0));
        NEEDS(cuIpcOpenMemHandle(&first, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        ANSWERS(CUDA_SUCCESS, cuIpcOpenMemHandle(&second, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
        EQUAL(first, second);
        ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemFree(first));
        CUipcMemHandle again{};
        ANSWERS(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&again, first));
        SUCCEEDS(cuIpcCloseMemHandle(first));
        EQUAL(7, read<int>(first));
        SUCCEEDS(cuIpcCloseMemHandle(first));
        int value = 0;
        ANSWERS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&value, first, 4));
        back.send(1);
      },
      [](const Pipe& there, const Pipe& back) {
        NEEDS(cuInit(0));
        const Context context;
        const CUdeviceptr address = zeros(4096);
        write(address, 7);
        CUipcMemHandle handle{};
        NEEDS(cuIpcGetMemHandle(&handle, address));
        there.send(handle);
        EQUAL(1, back.receive<int>());
      });
}

}  // namespace
}  // namespace conformance
