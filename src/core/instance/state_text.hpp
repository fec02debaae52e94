#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/instance/instance.hpp"

namespace millrace {

// The stored form of an instance's state: compact JSON, the same on every store. Members at their
// default are left out; members that this version does not know are refused, not dropped.
std::string state_text(const InstanceState& state);
std::optional<InstanceState> parse_state_text(std::string_view text);

// The stored form of the tries of a step, for its line of history.
std::string tries_text(const std::vector<Try>& tries);
std::optional<std::vector<Try>> parse_tries_text(std::string_view text);

// Names as one text, each between line ends, so that one is found as a part of it. Empty for none.
std::string group_text(const std::vector<std::string>& groups);
std::vector<std::string> parse_group_text(std::string_view text);

}  // namespace millrace
