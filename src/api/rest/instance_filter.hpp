#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/list_instances.hpp"

namespace millrace::rest {

// The value of a filter by its name, as text; empty when it is not given.
using FilterValue = std::function<std::optional<std::string>(std::string_view name)>;

// invalid_argument names what is wrong.
Result<InstanceFilter> parse_instance_filter(const WorkspaceId& workspace_id,
                                             const FilterValue& value);

}  // namespace millrace::rest
