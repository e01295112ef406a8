// SPDX-License-Identifier: MIT
// Takes over api's tables once; see meaning.hpp.
//
// With function.cpp the only file of trace/ that reads api's tables, so that a change of the tables affects
// nothing else. It must not depend on what is done with them.
#include "meaning.hpp"

#include "api/descriptions.hpp"
#include "trace/event.hpp"

namespace trace {
namespace {

Role role_of(api::Role role) {
  switch (role) {
    case api::Role::Out:
      return Role::Out;
    case api::Role::InOut:
      return Role::InOut;
    case api::Role::In:
      break;
  }
  return Role::In;
}

ValueKind kind_of(api::ValueKind kind) {
  switch (kind) {
    case api::ValueKind::Signed:
      return ValueKind::Signed;
    case api::ValueKind::Float:
      return ValueKind::Float;
    case api::ValueKind::Size:
      return ValueKind::Size;
    case api::ValueKind::Boolean:
      return ValueKind::Boolean;
    case api::ValueKind::Enumerator:
      return ValueKind::Enumerator;
    case api::ValueKind::Flags:
      return ValueKind::Flags;
    case api::ValueKind::Handle:
      return ValueKind::Handle;
    case api::ValueKind::Device:
      return ValueKind::Device;
    case api::ValueKind::DevicePointer:
      return ValueKind::DevicePointer;
    case api::ValueKind::Pointer:
      return ValueKind::HostPointer;
    case api::ValueKind::String:
      return ValueKind::String;
    case api::ValueKind::Struct:
      return ValueKind::Struct;
    case api::ValueKind::Result:
      return ValueKind::Result;
    case api::ValueKind::Unsigned:
    case api::ValueKind::Bytes:
      break;
  }
  return ValueKind::Unsigned;
}

// The runtime's handles are the driver's under other names; readers know one name for each.
std::string_view driver_type_of(std::string_view handle) {
  static constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"cudaStream_t", "CUstream"},
      {"cudaEvent_t", "CUevent"},
      {"cudaGraph_t", "CUgraph"},
      {"cudaGraphNode_t", "CUgraphNode"},
      {"cudaGraphExec_t", "CUgraphExec"},
      {"cudaUserObject_t", "CUuserObject"},
      {"cudaFunction_t", "CUfunction"},
      {"cudaKernel_t", "CUkernel"},
      {"cudaLibrary_t", "CUlibrary"},
      {"cudaMemPool_t", "CUmemoryPool"},
      {"cudaExternalMemory_t", "CUexternalMemory"},
      {"cudaExternalSemaphore_t", "CUexternalSemaphore"}};
  for (const auto& [runtime, driver] : kSame)
    if (handle == runtime) return driver;
  return handle;
}

const api::EnumDescription* results_of(Layer layer) {
  static const api::EnumDescription* const kinds[] = {api::find_enum("CUresult"), api::find_enum("cudaError"),
                                                      api::find_enum("nvrtcResult")};
  return kinds[static_cast<std::size_t>(layer)];
}

// Everything, made at the first use. The vectors of enums and structs never grow after that, so that types
// can point into them.
class Meanings {
 public:
  Meanings() : enums_(api::enums().size()), structs_(api::structs().size()) {
    for (std::size_t i = 0; i < enums_.size(); ++i) {
      for (const auto& e : api::enums()[i].enumerators) enums_[i].enumerators.push_back({e.name, e.value});
    }
    for (std::size_t i = 0; i < structs_.size(); ++i) {
      const auto& described = api::structs()[i];
      structs_[i].bytes = described.bytes;
      for (const auto& f : described.fields) {
        structs_[i].fields.push_back({f.name, f.offset, f.count, type_of(f.type)});
      }
    }
    for (const auto& described : api::functions()) {
      FunctionMeaning function{described.function, described.name, described.symbol, {}};
      for (const auto& p : described.parameters) {
        function.parameters.push_back(
            {p.name, p.type, role_of(p.role), p.pointer, p.array, type_of(p.value)});
      }
      functions_.push_back(std::move(function));
    }
  }
  std::span<const FunctionMeaning> functions() const { return functions_; }

 private:
  TypeMeaning type_of(const api::TypeDescription& described) const {
    TypeMeaning type;
    type.kind = kind_of(described.kind);
    type.bytes = described.bytes;
    if (described.kind == api::ValueKind::Handle) type.handle_type = driver_type_of(described.name);
    const auto enumeration = static_cast<std::size_t>(described.enumeration);
    if (described.enumeration >= 0 && enumeration < enums_.size()) type.enumeration = &enums_[enumeration];
    const auto structure = static_cast<std::size_t>(described.structure);
    if (described.structure >= 0 && structure < structs_.size()) type.structure = &structs_[structure];
    return type;
  }

  std::vector<EnumMeaning> enums_;
  std::vector<StructMeaning> structs_;
  std::vector<FunctionMeaning> functions_;
};

}  // namespace

std::span<const FunctionMeaning> all_functions() {
  static const auto* meanings = new Meanings;  // outlives every Event, also at exit
  return meanings->functions();
}

Layer layer_of(std::string_view symbol) {
  if (symbol.starts_with("nvrtc")) return Layer::Nvrtc;
  return symbol.starts_with("cuda") ? Layer::Runtime : Layer::Driver;
}

Layer Event::layer() const {
  return layer_of(symbol.empty() ? name : symbol);
}

std::string_view result_name(const Event& call) {
  const Layer layer = call.layer();
  if (layer == Layer::Driver) return result_name(call.result);
  const api::EnumDescription* const results = results_of(layer);
  return results != nullptr ? api::enumerator_name(*results, call.result) : std::string_view{};
}

std::string_view result_name(std::int32_t result) {
  const char* name = api::result_name(result);
  return name == nullptr ? std::string_view{} : name;
}

std::string_view result_string(std::int32_t result) {
  const char* text = api::result_text(result);
  return text == nullptr ? std::string_view{} : text;
}

}  // namespace trace
