// SPDX-License-Identifier: MIT
// See trace/event.hpp: the library whose function a call is, and the names of that library's results.
#include "api/descriptions.hpp"
#include "trace/event.hpp"

namespace trace {
namespace {

const api::EnumDescription* results_of(Layer layer) {
  static const api::EnumDescription* const kinds[] = {api::find_enum("CUresult"), api::find_enum("cudaError"),
                                                      api::find_enum("nvrtcResult")};
  return kinds[static_cast<std::size_t>(layer)];
}

}  // namespace

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
