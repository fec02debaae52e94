#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/value.hpp"
#include "commit/command.hpp"

namespace millrace {

// Sets variables of an instance, by top-level key, and removes others. Jobs that are open keep the
// variables at their creation. Answers with the instance.
struct ChangeVariables {
    static constexpr std::string_view kName = "instance.change_variables";

    InstanceKey instance{};
    json::Value changes{};  // An object, or null for none.
    std::vector<std::string> removed{};
    // conflict when the variables have another version.
    std::optional<std::int64_t> expected_version{};
};

Footprint footprint(const ChangeVariables& command);
Result<Decision<Instance>> decide(const ChangeVariables& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
