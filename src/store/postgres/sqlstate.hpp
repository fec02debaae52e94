#pragma once

#include <string_view>

#include "base/result.hpp"

namespace millrace::postgres {

// How a caller reacts to a refusal of the server, by the class of its SQLSTATE: the values are at
// fault (data_refused), the server's health (unavailable), or we are (internal).
ErrorCode code_of_sqlstate(std::string_view sqlstate);

// Says more about one that is unavailable: a known failure of this transaction, or of the server.
Unavailable why_unavailable(std::string_view sqlstate);

// Whether a statement was prepared by somebody else or is no longer: a pooler gave us a server
// connection that others use, too.
bool is_lost_preparation(std::string_view sqlstate);

// Whether the connection, rather than the statement, has failed. A pooler reports the loss of its
// server so, at any place of a round trip, whatever that server had done by then.
bool is_connection_failure(std::string_view sqlstate);

}  // namespace millrace::postgres
