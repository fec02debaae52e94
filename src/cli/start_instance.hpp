#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances start DEFINITION`
struct StartInstance {
    std::string definition_id{};
    std::optional<std::int32_t> definition_version{};
    // A JSON object: as text, @FILE, or "-" for standard input.
    std::string variables{};
    // KEY=VALUE, on top of them.
    std::vector<std::string> assignments{};
    std::string business_key{};
};

int execute(const StartInstance& command, const Context& context);

}  // namespace millrace::cli
