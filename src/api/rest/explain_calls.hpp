#pragma once

#include "api/http/message.hpp"
#include "api/rest/context.hpp"
#include "queue/explain.hpp"

namespace millrace::rest {

// What calls that explain share: what this process knows, and how an explanation looks.
ExplainContext explain_context(const Context& context);
http::HttpResponse explanation_response(const Explanation& explanation);

}  // namespace millrace::rest
