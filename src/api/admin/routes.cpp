#include "api/admin/routes.hpp"

#include "api/http/error_response.hpp"
#include "core/access/principal.hpp"

namespace millrace::admin {

namespace {

constexpr std::string_view kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

bool is_of_one_workspace(const http::HttpRequest& request) {
    return request.principal != nullptr && request.principal->workspace_id.has_value();
}

Error of_all_workspaces() {
    return {ErrorCode::permission_denied,
            "Metrics tell of all workspaces: they want a key of the cluster."};
}

}  // namespace

void add_routes(http::Router& router, const observe::Metrics& metrics,
                std::function<void()> measure) {
    router.add_fallback(
        "metrics", Access::view,
        [&metrics, measure = std::move(measure)](const http::HttpRequest& request,
                                                 const http::Responder& respond) {
            if (is_of_one_workspace(request)) {
                return respond(http::error_response(of_all_workspaces(), respond.request_id()));
            }
            if (measure) measure();
            respond({.content_type = kPrometheusType, .body = metrics.text()});
        });
}

}  // namespace millrace::admin
