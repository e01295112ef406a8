// SPDX-License-Identifier: MIT
// A Session whose program runs on another machine. Session::start() returns one if the request names a
// Remote; no other code depends on it.
#pragma once
#include <memory>

#include "lab/remote.hpp"
#include "lab/session.hpp"

namespace lab {
Result<std::unique_ptr<Session>> start_remote_session(const RunRequest& request);
}
