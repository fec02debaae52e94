#pragma once

#include <string>
#include <string_view>

#include "api/http/message.hpp"

namespace millrace::http {

// Takes out of an answer why this server could not do as asked, for its log; empty when it could,
// or when the answer does not say. Whoever gets a 500 is told that the log says more, and no more:
// the reason is one of our insides.
std::string take_trouble(HttpResponse& response, std::string_view request_id);

}  // namespace millrace::http
