// Names of the driver API that are forwarded without being recorded; see forwarded.S.
#pragma once
extern "C" {
extern const char* const driverlab_forwarded_names[] __attribute__((visibility("hidden")));
extern void* driverlab_forwarded_functions[] __attribute__((visibility("hidden")));
}
