#include "runtime/environment.hpp"

#include <unistd.h>

#include <cstdlib>

namespace millrace::runtime {

std::optional<std::string> environment_variable(std::string_view name) {
    // Nothing in this program changes its environment, so the pointer stays good.
    const char* value = std::getenv(std::string(name).c_str());  // NOLINT(concurrency-mt-unsafe)
    if (value == nullptr) return std::nullopt;
    return std::string(value);
}

std::string host_name() {
    char name[256] = {};
    // The last byte stays zero.
    if (gethostname(name, sizeof(name) - 1) != 0) return "unknown";
    return name;
}

}  // namespace millrace::runtime
