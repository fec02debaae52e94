#pragma once

#include <atomic>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::rpc {

// "/grpc.health.v1.Health/Check", or Watch.
bool is_health(std::string_view method);

// What the health service says of this server: the same of all its services. Thread-safe.
class Health {
public:
    enum class State { unknown_service, serving, not_serving };

    explicit Health(const std::vector<std::string>& services)
        : services_(services.begin(), services.end()) {}

    void set(bool is_healthy) { is_healthy_ = is_healthy; }
    // Of the service that the message names; of the whole server when it names none.
    State state(std::string_view service) const;
    std::atomic<int>& watches() { return watches_; }

private:
    const std::set<std::string, std::less<>> services_;
    std::atomic<bool> is_healthy_{true};
    std::atomic<int> watches_{0};  // Calls that wait for changes.
};

}  // namespace millrace::rpc
