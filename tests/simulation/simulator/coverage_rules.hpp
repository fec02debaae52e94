#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "simulator/fault.hpp"

namespace millrace::sim {

// A command that the simulator sends, and the ways in which it is refused for what it asks. All
// others are common to all commands: see common_outcomes().
struct CommandRule {
    std::string_view command{};
    std::vector<std::string_view> refusals{};
};

std::span<const CommandRule> command_rules();

// ok, unavailable, commit_unknown, none.
std::span<const std::string_view> common_outcomes();

// Whether a call of that command can end so while that fault meets its replica; empty: while none
// does. Each exception has its reason beside it.
bool is_reachable(std::string_view command, std::string_view outcome, std::optional<Fault> fault);

}  // namespace millrace::sim
