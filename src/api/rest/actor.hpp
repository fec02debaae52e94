#pragma once

#include "api/http/message.hpp"
#include "core/audit/audit_entry.hpp"

namespace millrace::rest {

// Who asks, as far as the request says.
Actor actor_of(const http::HttpRequest& request);

}  // namespace millrace::rest
