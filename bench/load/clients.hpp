#pragma once

#include <memory>
#include <vector>

#include "load/http_connection.hpp"
#include "load/scenarios.hpp"

namespace millrace::bench {

using Clients = std::vector<std::unique_ptr<HttpConnection>>;

// As many as the options say, spread evenly over the servers.
Clients connect_clients(EventLoop& loop, const LoadOptions& options);

}  // namespace millrace::bench
