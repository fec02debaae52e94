#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/mutex.hpp"
#include "base/time.hpp"
#include "base/trace_context.hpp"
#include "observe/log.hpp"

namespace millrace::http {

// What is said of one answer. Neither paths, which hold names of users, nor queries, headers or
// bodies.
struct Answered {
    std::string_view request_id{};
    std::string_view method{};
    std::string_view route{};
    std::string_view remote_address{};
    int status = 0;
    // Of a request by gRPC, instead of method, route and status; that one decides how it is told.
    std::string_view rpc{};
    std::string_view code{};
    Duration duration{};
    TraceContext trace{};
    std::string_view trouble{};  // Why it failed; empty unless it did.
};

// Writes a line for each answer, so that whoever has the id of a request finds what became of it:
// what was done at debug, what was refused (4xx) at info, what the store kept from being done (503)
// at warn, what failed (any other 5xx) at error. Nobody outside may fill the
// disk of the log: of refusals and of failures each there are kLinesPerSecond at most, and the next
// line says how many were left out. Thread-safe.
class AnswerLog {
public:
    static constexpr int kLinesPerSecond = 10;

    explicit AnswerLog(observe::Log& log) : log_(log) {}

    void note(const Answered& answered, Instant now);

private:
    // How many lines of one kind were written in this second.
    struct Tally {
        std::chrono::sys_seconds second{};
        int lines = 0;
        std::int64_t left_out = 0;
    };

    // How many lines were left out before this one; -1: this one is left out, too.
    std::int64_t enter(Tally& tally, Instant now) MILLRACE_REQUIRES(mutex_);

    observe::Log& log_;
    Mutex mutex_;
    Tally refusals_ MILLRACE_GUARDED_BY(mutex_);
    Tally failures_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::http
