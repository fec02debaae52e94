#pragma once

#include "base/json/value.hpp"
#include "millrace/client/requests.hpp"
#include "query.hpp"

namespace millrace::client {

// A filter as a list takes it, and as a cancellation of many does: the same names in both.
Query query_of(const InstanceFilter& filter);
json::Value json_of(const InstanceFilter& filter);

}  // namespace millrace::client
