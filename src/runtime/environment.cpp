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

std::vector<std::string> environment_names() {
    std::vector<std::string> names;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        names.emplace_back(text.substr(0, text.find('=')));
    }
    return names;
}

std::string host_name() {
    char name[256] = {};
    // The last byte stays zero.
    if (gethostname(name, sizeof(name) - 1) != 0) return "unknown";
    return name;
}

}  // namespace millrace::runtime
