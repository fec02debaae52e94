#include "api/rest/route_inputs.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kReportsWork =
    "a worker of a newer library must not lose a result to an older server";
constexpr std::string_view kOfContract =
    "existing clients may send fields that the contract has always ignored";

constexpr LenientRoute kLenientRoutes[] = {
    {"POST", "/v1/jobs/poll", kReportsWork},
    {"POST", "/v1/jobs/complete", kReportsWork},
    {"POST", "/v1/jobs/fail", kReportsWork},
    {"POST", "/v1/jobs/release", kReportsWork},
    {"POST", "/v1/jobs/{id}/complete", kReportsWork},
    {"POST", "/v1/jobs/{id}/fail", kReportsWork},
    {"POST", "/v1/jobs/{id}/release", kReportsWork},
    {"POST", "/v1/jobs/{id}/extend", kReportsWork},
    {"POST", "/v1/executions/{id}/completion", kReportsWork},
    {"POST", "/v1/instances", kOfContract},
    {"POST", "/v1/instances/{id}/cancel", kOfContract},
    {"POST", "/v1/instances/{id}/user-tasks/{stepId}/complete", kOfContract},
    {"POST", "/v1/user-tasks/{id}/complete",
     "a client of the contract calls it with fields of its own"},
};

}  // namespace

std::span<const LenientRoute> lenient_routes() {
    return kLenientRoutes;
}

http::RouteInputs list_inputs(std::initializer_list<std::string_view> filters) {
    http::RouteInputs inputs{.query = {"page", "pageSize", "cursor"}};
    inputs.query.insert(inputs.query.end(), filters);
    return inputs;
}

}  // namespace millrace::rest
