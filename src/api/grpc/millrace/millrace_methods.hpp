#pragma once

#include "api/grpc/method.hpp"

namespace millrace::rpc {

// Every rpc of millrace.v1, made of what the options of its proto say. One that cannot be
// translated is a bug of the proto and ends the program at its start.
Methods millrace_methods();

}  // namespace millrace::rpc
