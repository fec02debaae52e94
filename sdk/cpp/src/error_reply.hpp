#pragma once

#include "base/json/value.hpp"
#include "connection.hpp"
#include "millrace/client/error.hpp"

namespace millrace::client {

// Reads the body that every refusal of the server carries. Of a body that is none of ours, e.g. a
// proxy's page, the beginning becomes the message.
Error error_of(const Response& response);

// The same for one element of a batch's answer: {"status": …, "error": {…}}.
Error error_of_item(const json::Value& item);

}  // namespace millrace::client
