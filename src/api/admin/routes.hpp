#pragma once

#include <functional>

#include "api/http/router.hpp"
#include "observe/metrics.hpp"

namespace millrace::admin {

// Answers every path with all metrics, as existing scrapers expect. `measure` is called before, so
// that gauges are of now. They tell of all workspaces, so a key of one is not enough.
void add_routes(http::Router& router, const observe::Metrics& metrics,
                std::function<void()> measure = {});

}  // namespace millrace::admin
