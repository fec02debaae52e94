#pragma once

#include "api/http/exchange.hpp"

namespace millrace::rest {

// For a route that takes no body: an empty one, or an empty object, passes to the handler, and
// whatever else is refused, because its sender means something by it.
http::Handler without_body(http::Handler handler);

}  // namespace millrace::rest
