#pragma once

#include <optional>
#include <string_view>

namespace millrace::http {

// The trace id in the header field `traceparent` of W3C Trace Context
// (`00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`); none when the text is not valid.
// Fields that later versions append are allowed.
std::optional<std::string_view> trace_id_of(std::string_view trace_parent);

}  // namespace millrace::http
