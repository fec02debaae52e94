#include "outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

namespace millrace::client {
namespace {

// What the server keeps of a message.
constexpr std::size_t kMessageBytesMax = std::size_t{16} << 10;

bool is_writable(const json::Value& value) {
    if (const double* number = value.if_number()) return std::isfinite(*number);
    if (const json::Array* array = value.if_array())
        return std::ranges::all_of(*array, is_writable);
    const json::Object* object = value.if_object();
    return object == nullptr || std::ranges::all_of(*object, [](const json::Member& member) {
               return is_writable(member.value);
           });
}

// At the end of a character.
void cut_message(std::string& message) {
    if (message.size() <= kMessageBytesMax) return;
    std::size_t end = kMessageBytesMax;
    while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
    message.resize(end);
}

}  // namespace

Outcome run_handler(const Handler& handler, const Job& job, JobContext& context) {
    try {
        return handler(job, context);
    } catch (const NonRetryable& exception) {
        return Failed{.message = exception.what(), .retryable = false};
    } catch (const RetryAfter& exception) {
        return Failed{.message = exception.what(), .retry_after = exception.after()};
    } catch (const std::exception& exception) {
        return Failed{.message = exception.what()};
    } catch (...) {
        return Failed{.message = "The handler threw something that is no exception."};
    }
}

Outcome reportable(Outcome outcome, std::optional<StopCause> cause) {
    if (Failed* failed = std::get_if<Failed>(&outcome)) {
        if (cause == StopCause::draining && failed->retryable) {
            return Released{.reason = "The worker stops."};
        }
        cut_message(failed->message);
        return outcome;
    }
    const Completed* completed = std::get_if<Completed>(&outcome);
    if (completed == nullptr || is_writable(completed->variables)) return outcome;
    return Failed{.message = "The result has a number that JSON cannot express.",
                  .retryable = false};
}

bool is_refused_for_good(const Error& error) {
    return error.status == 400 || error.status == 413 || error.status == 422;
}

bool refuses_worker(const Error& error) {
    if (error.status == 0) {
        return error.code == "untrusted" || error.code.starts_with("invalid-");
    }
    return error.status / 100 == 4 && error.status != 408 && !is_transient(error);
}

}  // namespace millrace::client
