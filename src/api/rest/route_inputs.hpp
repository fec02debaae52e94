#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "api/http/route_inputs.hpp"

namespace millrace::rest {

// A route that passes over fields of its body that it does not know, and tells of them, instead of
// refusing the call.
struct LenientRoute {
    std::string_view method{};
    std::string_view pattern{};
    std::string_view reason{};
};

// All of them; every other route refuses such fields.
std::span<const LenientRoute> lenient_routes();

// The inputs of a list: pages and its own filters.
http::RouteInputs list_inputs(std::initializer_list<std::string_view> filters = {});

}  // namespace millrace::rest
