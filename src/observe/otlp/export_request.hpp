#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "observe/span.hpp"

namespace millrace::observe::otlp {

// Who tells: service.name, service.version and so on.
using Resource = std::vector<std::pair<std::string, std::string>>;

// An ExportTraceServiceRequest in protobuf, the body of a POST to /v1/traces
// (the OTLP specification of OpenTelemetry, 1.x).
std::string export_request(const Resource& resource, std::span<const Span> spans);

}  // namespace millrace::observe::otlp
