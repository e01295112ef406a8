// SPDX-License-Identifier: MIT
// See driver_selection.hpp.
#include "workbench/driver_selection.hpp"

#include <utility>

namespace lab {

DriverSelection::DriverSelection(const Installation& installation, std::shared_ptr<Wake> wake) {
  if (const auto embedded = choose_driver(DriverChoice::Embedded, installation))
    embedded_description_ = embedded->description;
  thread_ = std::thread([this, installation, wake = std::move(wake)] {
    if (auto driver = choose_driver(DriverChoice::Real, installation)) real_ = *driver;
    asked_ = true;
    (*wake)();
  });
}

DriverSelection::~DriverSelection() {
  thread_.join();
}

bool DriverSelection::poll() {
  return asked_ && !std::exchange(told_, true);
}

void DriverSelection::set_launcher(std::string launcher) {
  if (launcher == launcher_) return;
  launcher_ = std::move(launcher);
  remote_description_.clear();
}

std::string DriverSelection::description() const {
  if (!launcher_.empty())
    return remote_description_.empty() ? launcher_ : launcher_ + " · " + remote_description_;
  const bool may_be_real = choice_ != DriverChoice::Embedded;
  if (may_be_real && !asked_) return {};
  if (may_be_real && real_) return real_->description;
  return choice_ != DriverChoice::Real ? embedded_description_ : std::string();
}

}  // namespace lab
