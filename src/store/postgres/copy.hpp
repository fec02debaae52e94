#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "store/copied_tables.hpp"
#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// Sends the bytes of a COPY … FROM STDIN; alone, or as part of the open transaction. After any
// failure the connection is closed.
Status copy_in(Connection& connection, const std::string& statement, std::string_view bytes);

// Calls `each` for every row that a query selects, as they come: in any order unless the query says
// one, and never all in memory. After any failure the connection is closed.
Status copy_out(Connection& connection, const std::string& query,
                std::span<const CopiedColumn> columns,
                const std::function<Status(const Cells& row)>& each);

}  // namespace millrace::postgres
