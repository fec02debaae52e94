#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/reader.hpp"

namespace millrace {

// Filters as the statements of both dialects want them.

// ",FAILED,CANCELLED,"; empty for any status.
std::optional<std::string> statuses_text(const InstanceFilter& filter);
std::optional<std::string> statuses_text(const ExecutionFilter& filter);

// The same for kinds of audit entries.
std::optional<std::string> kinds_text(const AuditFilter& filter);

// The one queue status that is asked for; empty for any.
std::optional<std::string_view> status_text(Unattended which);

// The group between line ends, as it stands in a stored list of groups; empty for any.
std::optional<std::string> group_pattern(const UserTaskFilter& filter);

}  // namespace millrace
