#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace millrace::http {

// What becomes of a field of a body that its route does not know: it is refused, or passed over
// and told in the header Millrace-Warning of the answer.
enum class UnknownFields { refused, told };

// What a route takes beside its path. What is not named here is refused: a parameter that is
// silently dropped makes a list longer, or a change larger, than its caller meant.
struct RouteInputs {
    std::vector<std::string_view> query{};  // Parameters, each at most once.
    bool takes_any_query = false;           // For what is asked by programs that we do not know.
    UnknownFields unknown_fields = UnknownFields::refused;
};

// invalid_argument names the parameter of a query that is unknown or given twice.
std::optional<Error> query_error(std::string_view query, const RouteInputs& inputs);

}  // namespace millrace::http
