#include "cli/not_empty.hpp"

#include <CLI/CLI.hpp>

namespace millrace::cli {

CLI::Validator not_empty() {
    const auto check = [](const std::string& text) -> std::string {
        return text.empty() ? "Expected a value, but it is empty" : "";
    };
    return {check, ""};
}

}  // namespace millrace::cli
