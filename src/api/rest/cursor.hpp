#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millrace::rest {

// A place in the list of that name as clients see it: letters and digits that mean nothing to them
// and fit into a query as they are.
std::string to_cursor(std::string_view list, std::string_view place);

// Empty when to_cursor has not made it for that list.
std::optional<std::string> from_cursor(std::string_view list, std::string_view cursor);

}  // namespace millrace::rest
