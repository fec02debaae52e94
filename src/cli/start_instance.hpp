#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/context.hpp"
#include "cli/read_variables.hpp"

namespace millrace::cli {

// `millrace instances start DEFINITION`
struct StartInstance {
    std::string definition_id{};
    std::optional<std::int32_t> definition_version{};
    VariableArguments variables{};
    std::string business_key{};
    std::string idempotency_key{};
};

int execute(const StartInstance& command, const Context& context);

}  // namespace millrace::cli
