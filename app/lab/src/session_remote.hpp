// SPDX-License-Identifier: MIT
// A Session whose program runs on another machine. Session::start() returns one where the request names a
// Remote; nobody else needs to know.
#pragma once
#include <memory>

#include "lab/remote.hpp"
#include "lab/session.hpp"

namespace lab {
Result<std::unique_ptr<Session>> start_remote_session(const RunRequest& request);
}
