#pragma once

#include <cstdint>

namespace millrace::runtime {

// Raises the number of files this process may open to what the system allows and returns it. The
// usual 1024 is less than the connections that park here.
std::uint64_t raise_file_limit();

}  // namespace millrace::runtime
