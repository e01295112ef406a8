// SPDX-License-Identifier: MIT
// Every form of copy and fill of one dimension, each held to the same bounds.
#include <functional>

#include "support.hpp"

namespace {

struct Copy {
  const char* name;
  std::function<CUresult(CUdeviceptr to, CUdeviceptr from, void* host, std::size_t size)> run;
  bool reads_host;
  bool writes_host;
};

std::ostream& operator<<(std::ostream& out, const Copy& copy) {
  return out << copy.name;
}

const Copy copies[] = {
    {"cuMemcpyHtoD", [](auto to, auto, auto host, auto n) { return cuMemcpyHtoD(to, host, n); }, true, false},
    {"cuMemcpyHtoDAsync",
     [](auto to, auto, auto host, auto n) { return cuMemcpyHtoDAsync(to, host, n, nullptr); }, true, false},
    {"cuMemcpyDtoH", [](auto, auto from, auto host, auto n) { return cuMemcpyDtoH(host, from, n); }, false,
     true},
    {"cuMemcpyDtoHAsync",
     [](auto, auto from, auto host, auto n) { return cuMemcpyDtoHAsync(host, from, n, CU_STREAM_LEGACY); },
     false, true},
    {"cuMemcpyDtoD", [](auto to, auto from, auto, auto n) { return cuMemcpyDtoD(to, from, n); }, false,
     false},
    {"cuMemcpyDtoDAsync",
     [](auto to, auto from, auto, auto n) { return cuMemcpyDtoDAsync(to, from, n, CU_STREAM_PER_THREAD); },
     false, false},
    {"cuMemcpy", [](auto to, auto from, auto, auto n) { return cuMemcpy(to, from, n); }, false, false},
    {"cuMemcpyAsync", [](auto to, auto from, auto, auto n) { return cuMemcpyAsync(to, from, n, nullptr); },
     false, false},
    {"cuMemcpy from the host",
     [](auto to, auto, auto host, auto n) { return cuMemcpy(to, reinterpret_cast<CUdeviceptr>(host), n); },
     true, false},
    {"cuMemcpy to the host",
     [](auto, auto from, auto host, auto n) {
       return cuMemcpy(reinterpret_cast<CUdeviceptr>(host), from, n);
     },
     false, true},
};

class Copies : public DriverTest, public ::testing::WithParamInterface<Copy> {};

TEST_P(Copies, copy_all_bytes_and_not_one_more) {
  ASSERT_OK(cuInit(0));
  make_context();
  const Copy& copy = GetParam();
  const std::size_t size = 1000;
  const CUdeviceptr from = allocate(size);
  const CUdeviceptr to = allocate(size);
  std::vector<unsigned char> host(4096, 1);
  ASSERT_OK(cuMemsetD8(from, 2, size));
  ASSERT_OK(cuMemsetD8(to, 3, size));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, copy.run(to, from, host.data(), size + 1)) << copy.name;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, copy.run(to + size, from + size, host.data(), 1)) << copy.name;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, copy.run(to + 1, from + 1, host.data(), ~std::size_t{0}))
      << copy.name;
  EXPECT_OK(copy.run(to, from, host.data(), 0)) << copy.name;
  EXPECT_OK(copy.run(to + 1, from + 1, host.data(), size - 1)) << copy.name;
  const unsigned char expected = copy.reads_host ? 1 : 2;
  if (copy.writes_host) {
    EXPECT_EQ(expected, host[0]) << copy.name;
    EXPECT_EQ(expected, host[size - 2]) << copy.name;
    EXPECT_EQ(1, host[size - 1]) << copy.name;
  } else {
    const auto bytes = read(to, size);
    EXPECT_EQ(3, bytes[0]) << copy.name;
    EXPECT_EQ(expected, bytes[1]) << copy.name;
    EXPECT_EQ(expected, bytes[size - 1]) << copy.name;
  }
  if (copy.reads_host || copy.writes_host) {
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, copy.run(to, from, nullptr, 4)) << copy.name;
  }
}

TEST_P(Copies, need_a_context) {
  unsigned char host[4] = {};
  EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, GetParam().run(4096, 4096, host, 4)) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(Every, Copies, ::testing::ValuesIn(copies), [](const auto& test) {
  std::string name = test.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

struct Fill {
  const char* name;
  std::size_t width;  // bytes of a value
  std::function<CUresult(CUdeviceptr, unsigned value, std::size_t count)> run;
};

std::ostream& operator<<(std::ostream& out, const Fill& fill) {
  return out << fill.name;
}

const Fill fills[] = {
    {"cuMemsetD8", 1, [](auto a, auto v, auto n) { return cuMemsetD8(a, static_cast<unsigned char>(v), n); }},
    {"cuMemsetD8Async", 1,
     [](auto a, auto v, auto n) { return cuMemsetD8Async(a, static_cast<unsigned char>(v), n, nullptr); }},
    {"cuMemsetD16", 2,
     [](auto a, auto v, auto n) { return cuMemsetD16(a, static_cast<unsigned short>(v), n); }},
    {"cuMemsetD16Async", 2,
     [](auto a, auto v, auto n) { return cuMemsetD16Async(a, static_cast<unsigned short>(v), n, nullptr); }},
    {"cuMemsetD32", 4, [](auto a, auto v, auto n) { return cuMemsetD32(a, v, n); }},
    {"cuMemsetD32Async", 4, [](auto a, auto v, auto n) { return cuMemsetD32Async(a, v, n, nullptr); }},
};

class Fills : public DriverTest, public ::testing::WithParamInterface<Fill> {};

TEST_P(Fills, fill_all_values_and_not_one_more) {
  make_context();
  const Fill& fill = GetParam();
  const std::size_t count = 250;
  const CUdeviceptr address = allocate(count * fill.width);
  ASSERT_OK(cuMemsetD8(address, 0, count * fill.width));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, fill.run(address, 1, count + 1));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, fill.run(address, 1, ~std::size_t{0}));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, fill.run(address + count * fill.width, 1, 1));
  EXPECT_OK(fill.run(address, 1, 0));
  if (fill.width > 1) {
    EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, fill.run(address + 1, 1, 1));
  }
  EXPECT_OK(fill.run(address + fill.width, 0x04030201, count - 1));
  const auto bytes = read(address, count * fill.width);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(i < fill.width ? 0U : 1 + i % fill.width, bytes[i]) << fill.name << " byte " << i;
  }
}

TEST_P(Fills, need_a_context) {
  EXPECT_RESULT(CUDA_ERROR_INVALID_CONTEXT, GetParam().run(4096, 1, 1));
}

INSTANTIATE_TEST_SUITE_P(Every, Fills, ::testing::ValuesIn(fills),
                         [](const auto& test) { return std::string(test.param.name); });

class Transfers : public DriverTest {};

TEST_F(Transfers, a_made_up_stream_is_refused) {
  ONLY_ON_THE_EMBEDDED_DRIVER();
  make_context();
  const CUdeviceptr address = allocate(16);
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE,
                cuMemsetD8Async(address, 1, 16, reinterpret_cast<CUstream>(0x1234)));
}

TEST_F(Transfers, peers_copy_between_contexts_of_two_devices) {
  if (device_count() < 2) GTEST_SKIP() << "one device";
  const CUcontext a = make_context(0);
  const CUdeviceptr p = allocate(64);
  ASSERT_OK(cuMemsetD8(p, 8, 64));
  const CUcontext b = make_context(1);
  const CUdeviceptr q = allocate(64);
  ASSERT_OK(cuMemcpyPeer(q, b, p, a, 64));
  EXPECT_EQ(std::vector<unsigned char>(64, 8), read(q, 64));
  EXPECT_OK(cuMemcpyPeerAsync(q, b, p, a, 64, nullptr));
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(q, b, p, a, 65));
}

}  // namespace
