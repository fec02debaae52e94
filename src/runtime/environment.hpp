#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::runtime {

// The value of an environment variable; empty when it is not set.
std::optional<std::string> environment_variable(std::string_view name);

// The names of all that are set, in no order.
std::vector<std::string> environment_names();

// What this machine calls itself.
std::string host_name();

}  // namespace millrace::runtime
