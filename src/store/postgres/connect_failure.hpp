#pragma once

#include <string>
#include <string_view>

namespace millrace::postgres {

// Why there is no connection, in one line, of what libpq says about it: for the log and for whoever
// starts a server, not for its clients. Without the password, should the text quote it.
std::string connect_failure(std::string_view message, std::string_view password);

// What is wrong with a connection string that libpq cannot read. It quotes the string, and so maybe
// a password: only what stands before the quotation is kept.
std::string malformed_target(std::string_view message);

}  // namespace millrace::postgres
