#pragma once

#include "api/http/router.hpp"
#include "api/rest/context.hpp"

namespace millrace::rest {

// Everything that is served on the REST port.
void add_routes(http::Router& router, const Context& context);

}  // namespace millrace::rest
