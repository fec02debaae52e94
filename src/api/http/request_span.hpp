#pragma once

#include "api/http/service.hpp"
#include "observe/span.hpp"

namespace millrace::http {

// The span of a request that is answered. Neither paths, which hold names of users, nor queries,
// headers or bodies go into it.
observe::Span request_span(const Trail& trail, int status, Instant ended_at);

// The same of a request by gRPC.
observe::Span rpc_span(const Trail& trail, const RpcEnd& end, Instant ended_at);

}  // namespace millrace::http
