#pragma once

#include <string>
#include <string_view>

#include "connection.hpp"

namespace millrace::client {

// A key that nobody has used before.
std::string fresh_idempotency_key();

// Makes a request safe to repeat: with the caller's key, or with a fresh one.
Request with_idempotency_key(Request request, std::string_view key);

}  // namespace millrace::client
