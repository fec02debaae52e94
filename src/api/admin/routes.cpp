#include "api/admin/routes.hpp"

namespace millrace::admin {

namespace {

constexpr std::string_view kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace

void add_routes(http::Router& router, const observe::Metrics& metrics,
                std::function<void()> measure) {
    router.add_fallback("metrics", Access::view,
                        [&metrics, measure = std::move(measure)](const http::HttpRequest&,
                                                                 const http::Responder& respond) {
                            if (measure) measure();
                            respond({.content_type = kPrometheusType, .body = metrics.text()});
                        });
}

}  // namespace millrace::admin
