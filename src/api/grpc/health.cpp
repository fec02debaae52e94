#include "api/grpc/health.hpp"

#include "api/grpc/reflection.hpp"

namespace millrace::rpc {

bool is_health(std::string_view method) {
    if (!method.starts_with('/') || !method.substr(1).starts_with(kHealthService)) return false;
    const std::string_view name = method.substr(1 + kHealthService.size());
    return name == "/Check" || name == "/Watch";
}

Health::State Health::state(std::string_view service) const {
    if (!service.empty() && !services_.contains(service)) return State::unknown_service;
    return is_healthy_ ? State::serving : State::not_serving;
}

}  // namespace millrace::rpc
