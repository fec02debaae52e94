#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "millrace/json/value.hpp"

namespace millrace::client {

// So that a program which uses this namespace can write json::Object.
namespace json = millrace::json;

// What a handler made of its job.
struct Completed {
    json::Value variables = json::Object{};
};
struct Failed {
    std::string message{};
    // Whether another try may help. The server tries again while the step has retries left.
    bool retryable = true;
    // When to try again, instead of what the step's retry policy says.
    std::optional<std::chrono::seconds> retry_after{};
};
// Not done, and nobody's fault: another worker gets the job, and no retry is consumed.
struct Released {
    std::chrono::seconds delay{0};
    // For the history.
    std::string reason{};
};
using Outcome = std::variant<Completed, Failed, Released>;

// Thrown by a handler, directly or from deep within, any exception fails the job for another try.
// This one fails it for good ...
class NonRetryable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// ... and this one says when to try again.
class RetryAfter : public std::runtime_error {
public:
    RetryAfter(const std::string& message, std::chrono::seconds after)
        : std::runtime_error(message), after_(after) {}
    std::chrono::seconds after() const { return after_; }

private:
    std::chrono::seconds after_;
};

}  // namespace millrace::client
