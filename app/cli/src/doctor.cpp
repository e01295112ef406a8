// SPDX-License-Identifier: MIT
// driverlab doctor: what this machine has, what follows from that, and the command that installs what is
// missing. The exit status is 0 if lessons can be run here.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

#include "machine.hpp"
#include "shell.hpp"

namespace cli {
namespace {

using T = lab::Text;

enum class State { Good, Missing, Needed };  // Needed: without it no lesson runs

struct Item {
  const char* id;
  T title;
  State state = State::Good;
  lab::Problem found;                   // what is there
  std::optional<lab::Problem> follows;  // what that means
  std::string command;                  // what mends it, "" where nothing has to be mended
};

std::string install(const Machine& machine, const std::string& packages) {
  return machine.debian ? "sudo apt-get install " + packages : "";
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Item embedded_driver(const lab::Result<lab::Installation>& installation) {
  Item item{"embedded_driver", T::CliDoctorEmbedded, State::Good, {}, {}, {}};
  const auto driver = installation ? lab::choose_driver(lab::DriverChoice::Embedded, *installation)
                                   : tl::unexpected<lab::Problem>(installation.error());
  if (driver) {
    const std::string name = lab::embedded_device();
    const std::string devices = std::to_string(driver->devices) + (name.empty() ? "" : " × " + name);
    item.found = {T::CliDoctorEmbeddedFound, {devices, driver->library.string()}};
    if (const auto value = lab::devices_misread()) {
      item.follows = lab::Problem{T::CliDoctorDevices, {*value}};
      item.command = "unset DRIVERLAB_DEVICES";
    } else if (const auto word = lab::device_misread()) {
      item.follows = lab::Problem{T::CliDoctorDevice, {*word, lab::known_devices()}};
      item.command = "unset DRIVERLAB_DEVICE";
    }
    return item;
  }
  item.state = State::Needed;
  item.found = driver.error();
  item.command = lab::remaking_command();
  return item;
}

Item real_driver(const lab::Result<lab::Installation>& installation, const Machine& machine,
                 lab::Language language) {
  Item item{"real_driver", T::CliDoctorReal, State::Missing, {T::CliDoctorNoGpu, {}}, {}, {}};
  const auto driver = installation ? lab::choose_driver(lab::DriverChoice::Real, *installation)
                                   : tl::unexpected<lab::Problem>(installation.error());
  if (driver) {
    item.state = State::Good;
    item.found = {T::CliDoctorFound, {driver->description, driver->library.string()}};
    return item;
  }
  item.follows = lab::Problem{T::CliDoctorUsesEmbedded, {}};
  if (machine.nvidia_gpus == 0 && !machine.kernel_driver) return item;
  item.found = {T::CliDoctorGpuNoDriver,
                {std::to_string(machine.nvidia_gpus), machine.kernel_driver.value_or("–"),
                 driver.error().in(language)}};
  item.command = machine.kernel_driver ? "nvidia-smi" : install(machine, "nvidia-driver");
  return item;
}

Item toolkit(const Machine& machine) {
  Item item{"toolkit", T::CliDoctorToolkit, State::Good, {}, {}, {}};
  std::vector<std::string> found;
  found.reserve(machine.toolkits.size());
  for (const Toolkit& kit : machine.toolkits)
    found.push_back(fmt::format("CUDA {} ({})", version_text(kit.version), kit.folder.string()));
  if (found.empty()) {
    item.found = {T::CliDoctorNothing, {}};
    item.follows = lab::Problem{T::CliDoctorOwnToolkit, {}};
  } else {
    item.found = {T::CliDoctorListed, {fmt::format("{}", fmt::join(found, ", "))}};
  }
  return item;
}

Item compiler(const Machine& machine) {
  Item item{"compiler", T::CliDoctorCompiler, State::Good, {}, {}, {}};
  std::vector<std::string> found;
  found.reserve(machine.compilers.size());
  for (const Compiler& one : machine.compilers)
    found.push_back(fmt::format("{} ({})", one.path.string(), one.version));
  item.found = found.empty() ? lab::Problem{T::CliDoctorNothing, {}}
                             : lab::Problem{T::CliDoctorListed, {fmt::format("{}", fmt::join(found, ", "))}};
  const auto is_clang = [](const Compiler& one) {
    return one.path.filename().string().find("clang++-" DRIVERLAB_CLANG) != std::string::npos;
  };
  const bool clang = std::any_of(machine.compilers.begin(), machine.compilers.end(), is_clang) ||
                     std::getenv("PTXCC_CLANG") != nullptr;
  if (clang) return item;
  item.state = found.empty() ? State::Needed : State::Missing;
  item.follows =
      lab::Problem{found.empty() ? T::CliDoctorNoCompiler : T::CliDoctorNoClang, {DRIVERLAB_CLANG}};
  item.command = install(machine, "clang-" DRIVERLAB_CLANG);
  return item;
}

Item linker(const Machine& machine) {
  Item item{"linker", T::CliDoctorLinker, State::Good, {}, {}, {}};
  if (machine.fast_linker) {
    item.found = {T::CliDoctorListed, {machine.fast_linker->string()}};
    return item;
  }
  item.state = State::Missing;
  item.found = {T::CliDoctorNothing, {}};
  item.follows = lab::Problem{T::CliDoctorSlowLink, {}};
  item.command = install(machine, "mold");
  return item;
}

Item window(const Shell& shell, const Machine& machine) {
  Item item{"window", T::CliDoctorWindow, State::Missing, {}, {}, {}};
  if (!shell.front_end->open_window) {
    item.found = {T::CliNoWindow, {}};
  } else if (machine.display) {
    item.state = State::Good;
    item.found = {T::CliDoctorDisplay, {*machine.display}};
  } else {
    item.found = {T::CliDoctorNoDisplay, {}};
    item.follows = lab::Problem{T::CliDoctorUseShot, {}};
  }
  return item;
}

Item one_font(const char* id, T title, const std::optional<std::filesystem::path>& file, T follows,
              std::string command) {
  Item item{id, title, State::Good, {T::CliDoctorNothing, {}}, {}, {}};
  if (file) {
    item.found = {T::CliDoctorListed, {file->string()}};
    return item;
  }
  item.state = State::Missing;
  item.follows = lab::Problem{follows, {}};
  item.command = std::move(command);
  return item;
}

std::vector<Item> examine(const Shell& shell) {
  const Machine machine = look_at_machine();
  const lab::Result<lab::Installation> installation = lab::find_installation();
  return {embedded_driver(installation),
          real_driver(installation, machine, shell.language),
          toolkit(machine),
          compiler(machine),
          linker(machine),
          window(shell, machine),
          one_font("chinese_font", T::CliDoctorChineseFont, machine.chinese_font, T::CliDoctorNoChinese,
                   install(machine, "fonts-noto-cjk")),
          one_font("sans_font", T::CliDoctorSansFont, machine.sans_font, T::CliDoctorPlainFont,
                   install(machine, "fonts-inter")),
          one_font("mono_font", T::CliDoctorMonoFont, machine.mono_font, T::CliDoctorPlainFont,
                   install(machine, "fonts-jetbrains-mono"))};
}

const char* word_of(State state) {
  return state == State::Good ? "good" : state == State::Missing ? "missing" : "needed";
}

void print_json(const Shell& shell, const std::vector<Item>& items) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const Item& item : items) {
    nlohmann::ordered_json entry = {{"id", item.id},
                                    {"state", word_of(item.state)},
                                    {"title", shell.text(item.title)},
                                    {"found", item.found.in(shell.language)}};
    if (item.follows) entry["follows"] = item.follows->in(shell.language);
    if (!item.command.empty()) entry["command"] = item.command;
    array.push_back(std::move(entry));
  }
  cli::print("{}\n", array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_items(const Shell& shell, const std::vector<Item>& items) {
  const bool colour = colour_wanted(1);
  for (const Item& item : items) {
    const char* mark = item.state == State::Good ? "✓" : item.state == State::Missing ? "○" : "✗";
    const char* paint = item.state == State::Good ? "32" : item.state == State::Missing ? "33" : "31";
    const std::string shown = colour ? fmt::format("\x1b[{}m{}\x1b[0m", paint, mark) : mark;
    cli::print("{} {} {}\n", shown, padded(shell.text(item.title), 22),
               printable(item.found.in(shell.language)));
    const std::string indent(25, ' ');
    if (item.follows) cli::print("{}{}\n", indent, printable(item.follows->in(shell.language)));
    if (!item.command.empty()) cli::print("{}$ {}\n", indent, item.command);
  }
}

int doctor(const Shell& shell, bool json) {
  const std::vector<Item> items = examine(shell);
  if (json)
    print_json(shell, items);
  else
    print_items(shell, items);
  bool runs = true;
  for (const Item& item : items) runs = runs && item.state != State::Needed;
  if (!json) shell.say(runs ? T::CliDoctorReady : T::CliDoctorNotReady);
  return runs ? kDone : kNo;
}

}  // namespace

void add_doctor(CLI::App& app, Shell& shell) {
  const auto [sub, json] = subcommand<bool>(app, shell, "doctor", T::CliDoctorAbout, doctor);
  sub->add_flag("--json", *json, shell.text(T::CliJsonOption));
}

}  // namespace cli
