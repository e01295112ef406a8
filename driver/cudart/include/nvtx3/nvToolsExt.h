// SPDX-License-Identifier: MIT
// NVTX, the marks that a program leaves for a profiler: the functions, types and numbers that are public.
//
// Nothing listens here, so each function does nothing and answers what NVTX answers without a profiler. Needs
// no library; for C and C++.
#ifndef NVTOOLSEXT_H_
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_VERSION_SIZE(type) ((uint16_t)sizeof(type))
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxResourceAttributes_t)))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef struct nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define DRIVERLAB_NVTX static inline __attribute__((unused))
DRIVERLAB_NVTX void nvtxInitialize(const void* reserved) {
  (void)reserved;
}
// A domain and a string are never followed as pointers; none has a handle.
DRIVERLAB_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  (void)name;
  return NULL;
}
DRIVERLAB_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) {
  (void)name;
  return NULL;
}
DRIVERLAB_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
  (void)domain;
}
DRIVERLAB_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* string) {
  (void)domain, (void)string;
  return NULL;
}
DRIVERLAB_NVTX nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain,
                                                            const wchar_t* string) {
  (void)domain, (void)string;
  return NULL;
}

#define DRIVERLAB_NVTX_MARK(name, type) \
  DRIVERLAB_NVTX void name(type what) { \
    (void)what;                         \
  }
#define DRIVERLAB_NVTX_START(name, type)         \
  DRIVERLAB_NVTX nvtxRangeId_t name(type what) { \
    (void)what;                                  \
    return 0;                                    \
  }
#define DRIVERLAB_NVTX_PUSH(name, type) \
  DRIVERLAB_NVTX int name(type what) {  \
    (void)what;                         \
    return NVTX_NO_PUSH_POP_TRACKING;   \
  }
DRIVERLAB_NVTX_MARK(nvtxMarkA, const char*)
DRIVERLAB_NVTX_MARK(nvtxMarkW, const wchar_t*)
DRIVERLAB_NVTX_MARK(nvtxMarkEx, const nvtxEventAttributes_t*)
DRIVERLAB_NVTX_START(nvtxRangeStartA, const char*)
DRIVERLAB_NVTX_START(nvtxRangeStartW, const wchar_t*)
DRIVERLAB_NVTX_START(nvtxRangeStartEx, const nvtxEventAttributes_t*)
DRIVERLAB_NVTX_MARK(nvtxRangeEnd, nvtxRangeId_t)
DRIVERLAB_NVTX_PUSH(nvtxRangePushA, const char*)
DRIVERLAB_NVTX_PUSH(nvtxRangePushW, const wchar_t*)
DRIVERLAB_NVTX_PUSH(nvtxRangePushEx, const nvtxEventAttributes_t*)
DRIVERLAB_NVTX int nvtxRangePop(void) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
#undef DRIVERLAB_NVTX_PUSH
#undef DRIVERLAB_NVTX_START
#undef DRIVERLAB_NVTX_MARK

DRIVERLAB_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* what) {
  (void)domain, (void)what;
}
DRIVERLAB_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                    const nvtxEventAttributes_t* what) {
  (void)domain, (void)what;
  return 0;
}
DRIVERLAB_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  (void)domain, (void)range;
}
DRIVERLAB_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* what) {
  (void)domain, (void)what;
  return NVTX_NO_PUSH_POP_TRACKING;
}
DRIVERLAB_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  (void)domain;
  return NVTX_NO_PUSH_POP_TRACKING;
}

#define DRIVERLAB_NVTX_NAME(name, type, character)               \
  DRIVERLAB_NVTX void name(type what, const character* called) { \
    (void)what, (void)called;                                    \
  }
DRIVERLAB_NVTX_NAME(nvtxNameCategoryA, uint32_t, char)
DRIVERLAB_NVTX_NAME(nvtxNameCategoryW, uint32_t, wchar_t)
DRIVERLAB_NVTX_NAME(nvtxNameOsThreadA, uint32_t, char)
DRIVERLAB_NVTX_NAME(nvtxNameOsThreadW, uint32_t, wchar_t)
#undef DRIVERLAB_NVTX_NAME
DRIVERLAB_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
  (void)domain, (void)category, (void)name;
}
DRIVERLAB_NVTX void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category,
                                            const wchar_t* name) {
  (void)domain, (void)category, (void)name;
}
#undef DRIVERLAB_NVTX

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif  // NVTOOLSEXT_H_
