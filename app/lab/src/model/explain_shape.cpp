// SPDX-License-Identifier: MIT
// Failures of launches whose shape or arguments are wrong: too many threads, too much shared memory,
// missing or unsuitable arguments. A kernel's parameters are used only if the run shows them; how many
// elements an array has cannot be known. Measured on an H200: scenarios launch, launch_rest,
// launch_limits, cooperative; on an H100: launch_today.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "model/explain.hpp"
#include "model/kernel_parameters.hpp"

namespace lab {
namespace {

constexpr std::int32_t kInvalidShape = 1, kOutOfResources = 701, kCooperativeTooLarge = 720,
                       kNotSupported = 801;
constexpr std::uint64_t kMostThreadsOfBlock = 1024, kMostDepth = 64,
                        kMostBlocksOfRow = 65535;      // of every CUDA device
constexpr std::uint64_t kSharedWithoutAsking = 49152;  // the same
constexpr std::uint64_t kAttributeMostThreads = 0, kAttributeOwnShared = 1, kAttributeMostShared = 8;

// Of a launch's arguments, or of the struct that holds them.
std::optional<std::uint64_t> asked(const Failure& failure, std::string_view name) {
  if (const auto passed = failure.passed(name)) return passed;
  const trace::Argument* config = failure.argument("config");
  if (config == nullptr) return std::nullopt;
  return config->field_number(name);
}

struct LaunchShape {
  std::array<std::uint64_t, 3> grid, block;
  std::string blocks, threads;  // "4 × 1 × 1"
  std::uint64_t block_threads = 0;
};

std::optional<LaunchShape> shape_of(const Failure& failure) {
  if (!launches_kernel(failure.event.function) || !asked(failure, "gridDimX")) return std::nullopt;
  const auto of = [&failure](const char* name) { return asked(failure, name).value_or(1); };
  LaunchShape shape{{of("gridDimX"), of("gridDimY"), of("gridDimZ")},
                    {of("blockDimX"), of("blockDimY"), of("blockDimZ")},
                    {},
                    {},
                    0};
  shape.blocks = fmt::format("{} × {} × {}", shape.grid[0], shape.grid[1], shape.grid[2]);
  shape.threads = fmt::format("{} × {} × {}", shape.block[0], shape.block[1], shape.block[2]);
  shape.block_threads = shape.block[0] * shape.block[1] * shape.block[2];
  return shape;
}

Explained wrong_dimensions(const LaunchShape& shape) {
  const auto& [x, y, z] = shape.block;
  if (std::count(shape.grid.begin(), shape.grid.end(), 0) +
          std::count(shape.block.begin(), shape.block.end(), 0) >
      0)
    return Explanation{{Text::ExplainEmptyGrid, {shape.blocks, shape.threads}}, {}};
  if (x > kMostThreadsOfBlock || y > kMostThreadsOfBlock || shape.block_threads > kMostThreadsOfBlock)
    return Explanation{{Text::ExplainBlockTooLarge, {shape.threads, std::to_string(shape.block_threads)}},
                       {}};
  if (z > kMostDepth) return Explanation{{Text::ExplainBlockTooDeep, {shape.threads}}, {}};
  if (shape.grid[1] > kMostBlocksOfRow || shape.grid[2] > kMostBlocksOfRow)
    return Explanation{{Text::ExplainGridTooLarge, {shape.blocks}}, {}};
  return std::nullopt;
}

std::uint64_t function_of(const Failure& failure) {
  return failure.passed("f").value_or(0);
}

std::uint64_t value_in(const trace::Event& call, std::string_view name) {
  const trace::Argument* const found = call.argument(name);
  return found == nullptr ? 0 : found->out.value_or(found->word);
}

// The kernel that this function was made from, if there is one; otherwise the handle itself.
std::uint64_t kernel_of(const Failure& failure, std::uint64_t function) {
  const auto made = maker_of(failure, function);
  if (!made) return function;
  const trace::Event call = failure.store.at(*made);
  return call.function == Function::cuKernelGetFunction ? value_in(call, "kernel") : function;
}

// An attribute of this function, or of its kernel, in an earlier call of one of these.
std::optional<std::size_t> attribute_call(const Failure& failure, std::initializer_list<Function> calls,
                                          std::uint64_t attribute) {
  const std::uint64_t function = function_of(failure), kernel = kernel_of(failure, function);
  return failure.latest([&](const trace::Event& call) {
    if (!one_of(call.function, calls)) return false;
    bool same_function = false, same_attribute = false;
    for (const trace::Argument& argument : call.arguments) {
      same_function |= argument.name == "hfunc" && argument.word == function;
      same_function |= argument.name == "kernel" && argument.word == kernel;
      same_attribute |= argument.name == "attrib" && argument.word == attribute;
    }
    return same_function && same_attribute;
  });
}

// What this function, or its kernel, returned for an attribute.
struct Told {
  std::uint64_t value;
  std::size_t call;
};
std::optional<Told> told_attribute(const Failure& failure, std::uint64_t attribute) {
  const auto call =
      attribute_call(failure, {Function::cuFuncGetAttribute, Function::cuKernelGetAttribute}, attribute);
  if (!call) return std::nullopt;
  return Told{value_in(failure.store.at(*call), "pi"), *call};
}

// The limit includes what the kernel declares itself, if the run shows how much that is.
Explained too_much_shared_together(const Failure& failure, std::uint64_t wanted) {
  if (const auto own = told_attribute(failure, kAttributeOwnShared)) {
    const std::uint64_t together = wanted + own->value;
    if (together <= kSharedWithoutAsking) return std::nullopt;
    return Explanation{
        {Text::ExplainSharedTogether,
         {std::to_string(wanted), thing_word(failure, function_of(failure)), std::to_string(own->value),
          failure.call_word(own->call), failure.place_word(own->call), std::to_string(together)}},
        own->call};
  }
  const auto most = told_attribute(failure, kAttributeMostShared);
  if (!most || wanted <= most->value) return std::nullopt;
  return Explanation{
      {Text::ExplainSharedBeyondTold,
       {std::to_string(wanted), thing_word(failure, function_of(failure)), std::to_string(most->value),
        failure.call_word(most->call), failure.place_word(most->call)}},
      most->call};
}

Explained too_much_shared(const Failure& failure) {
  const std::uint64_t wanted = asked(failure, "sharedMemBytes").value_or(0);
  const auto allowed = attribute_call(failure, {Function::cuFuncSetAttribute, Function::cuKernelSetAttribute},
                                      kAttributeMostShared);
  if (!allowed) {
    if (wanted <= kSharedWithoutAsking) return too_much_shared_together(failure, wanted);
    return Explanation{{Text::ExplainSharedBeyond, {std::to_string(wanted)}}, {}};
  }
  const trace::Event set = failure.store.at(*allowed);
  const std::uint64_t most = value_in(set, set.function == Function::cuKernelSetAttribute ? "val" : "value");
  if (wanted <= most) return std::nullopt;
  return Explanation{{Text::ExplainSharedBeyondAsked,
                      {std::to_string(wanted), std::to_string(most), failure.call_word(*allowed),
                       failure.place_word(*allowed)}},
                     allowed};
}

// Of a kept image: pairs of hexadecimal digits, up to the first that is none.
std::string text_of_digits(std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned value = 0;
    const char* const at = digits.data() + i;
    if (std::from_chars(at, at + 2, value, 16).ptr != at + 2) break;
    text += static_cast<char>(value);
  }
  return text;
}

std::optional<KernelParameters> parameters_of(const Failure& failure) {
  const auto fetched = maker_of(failure, kernel_of(failure, function_of(failure)));
  if (!fetched) return std::nullopt;
  const trace::Event get = failure.store.at(*fetched);
  std::string name;
  std::uint64_t image = 0;
  for (const trace::Argument& argument : get.arguments) {
    if (argument.name == "name") name = argument.text;
    if (argument.name == "hmod" || argument.name == "library") image = argument.word;
  }
  if (name.empty()) return std::nullopt;
  if (const auto loaded = maker_of(failure, image))
    for (const trace::Argument& argument : failure.store.at(*loaded).arguments)
      if (argument.name == "image" || argument.name == "code")
        if (const auto found = parameters_in_ptx(text_of_digits(argument.text), name)) return found;
  return parameters_in_name(name);
}

std::string bytes_word(const KernelParameters& parameters) {
  return parameters.bytes ? std::to_string(*parameters.bytes) : "?";
}

std::vector<std::string> parameter_words(const Failure& failure, const KernelParameters& parameters) {
  return {thing_word(failure, function_of(failure)), std::to_string(parameters.count),
          bytes_word(parameters)};
}

Explained wrong_arguments(const Failure& failure) {
  const trace::Argument* kernel_parameters = failure.argument("kernelParams");
  const trace::Argument* extra = failure.argument("extra");
  if (kernel_parameters == nullptr) return std::nullopt;
  const bool has_extra = extra != nullptr && extra->word != 0;
  if (kernel_parameters->word != 0 && has_extra) return Explanation{{Text::ExplainParametersTwice, {}}, {}};
  if (has_extra) return Explanation{{Text::ExplainExtraIncomplete, {}}, {}};
  if (kernel_parameters->word != 0) return std::nullopt;
  const auto parameters = parameters_of(failure);
  if (!parameters) return Explanation{{Text::ExplainNoParameters, {}}, {}};
  if (parameters->count == 0) return std::nullopt;  // the kernel has no parameters
  return Explanation{{Text::ExplainNoParametersOf, parameter_words(failure, *parameters)}, {}};
}

// Measured: a block beyond the kernel's launch bounds is 1, and one that needs too many registers is 701.
Explained beyond_bounds(const Failure& failure, const LaunchShape& shape) {
  const auto most = told_attribute(failure, kAttributeMostThreads);
  if (!most || shape.block_threads <= most->value) return std::nullopt;
  return Explanation{
      {Text::ExplainBlockBeyondBounds,
       {shape.threads, std::to_string(shape.block_threads), thing_word(failure, function_of(failure)),
        std::to_string(most->value), failure.call_word(most->call), failure.place_word(most->call)}},
      most->call};
}

// The run shows how many attributes there are, and where, but not what they are.
Explained refused_attribute(const Failure& failure) {
  const std::uint64_t attributes = asked(failure, "numAttrs").value_or(0);
  if (attributes == 0) return std::nullopt;
  const Text sentence = failure.event.result == kNotSupported ? Text::ExplainAttributeNotSupported
                                                              : Text::ExplainAttributeInvalid;
  return Explanation{{sentence, {std::to_string(attributes)}}, {}};
}

Explained out_of_resources(const Failure& failure, const LaunchShape& shape) {
  if (failure.passed("extra").value_or(0) != 0) {
    const auto parameters = parameters_of(failure);
    if (parameters && parameters->bytes)
      return Explanation{{Text::ExplainExtraOf, parameter_words(failure, *parameters)}, {}};
    return Explanation{{Text::ExplainExtra, {thing_word(failure, function_of(failure))}}, {}};
  }
  const std::string threads = std::to_string(shape.block_threads);
  if (const auto told = told_attribute(failure, kAttributeMostThreads)) {
    if (shape.block_threads <= told->value) return std::nullopt;
    return Explanation{{Text::ExplainBlockBeyondFunction,
                        {shape.threads, threads, std::to_string(told->value), failure.call_word(told->call),
                         failure.place_word(told->call)}},
                       told->call};
  }
  return Explanation{
      {Text::ExplainBlockResources, {shape.threads, threads, thing_word(failure, function_of(failure))}}, {}};
}

}  // namespace

Explained explain_shape(const Failure& failure) {
  const auto shape = shape_of(failure);
  if (!shape) return std::nullopt;
  switch (failure.event.result) {
    case kInvalidShape:
      if (Explained found = wrong_dimensions(*shape)) return found;
      if (Explained found = beyond_bounds(failure, *shape)) return found;
      if (Explained found = too_much_shared(failure)) return found;
      if (Explained found = wrong_arguments(failure)) return found;
      return refused_attribute(failure);
    case kOutOfResources:
      return out_of_resources(failure, *shape);
    case kCooperativeTooLarge:
      return Explanation{{Text::ExplainCooperativeTooLarge, {shape->blocks, shape->threads}}, {}};
    case kNotSupported:
      return refused_attribute(failure);
    default:
      return std::nullopt;
  }
}

Explained explain_crash(const Failure& failure) {
  if (!one_of(failure.event.function,
              {Function::cuLaunchKernel, Function::cuLaunchKernelEx, Function::cuLaunchCooperativeKernel}))
    return std::nullopt;
  if (!failure.passed("f") || failure.passed("kernelParams").value_or(0) == 0) return std::nullopt;
  const auto parameters = parameters_of(failure);
  if (!parameters)
    return Explanation{{Text::ExplainLaunchCrashed, {thing_word(failure, function_of(failure))}}, {}};
  if (parameters->count == 0) return std::nullopt;  // the driver does not read its array
  return Explanation{{Text::ExplainLaunchCrashedOf, parameter_words(failure, *parameters)}, {}};
}

}  // namespace lab
