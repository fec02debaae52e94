#pragma once

#include <string_view>

namespace millrace::http {

// Whether a Host field names this machine itself: localhost, 127.0.0.0/8 or ::1, any port. What a
// browser sends after its page's name was pointed at 127.0.0.1 does not.
bool is_loopback_host(std::string_view host);

// The same for an Origin field, over http or https. `null`, which sandboxed pages send, is none.
bool is_loopback_origin(std::string_view origin);

// Whether a page of that origin was served by this host, say the console.
bool is_same_origin(std::string_view origin, std::string_view host);

}  // namespace millrace::http
