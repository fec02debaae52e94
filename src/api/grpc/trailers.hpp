#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/grpc/call_status.hpp"

namespace millrace::rpc {

using Fields = std::vector<std::pair<std::string, std::string>>;

// What a call ends with: its code, its sentence, its details, and these notes.
Fields trailers_of(const CallStatus& status, const Fields& notes = {});

}  // namespace millrace::rpc
