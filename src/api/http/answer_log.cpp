#include "api/http/answer_log.hpp"

#include <utility>

namespace millrace::http {

namespace {

using Write = void (observe::Log::*)(std::string_view sentence, observe::LogFields fields);

struct Kind {
    observe::LogLevel level = observe::LogLevel::debug;
    Write write = nullptr;
    std::string_view sentence{};
};

Kind kind_of(int status) {
    using observe::Log;
    using observe::LogLevel;
    if (status < 400) return {LogLevel::debug, &Log::debug, "Answered a request."};
    // Another version of HTTP is the client's choice: most likely it speaks gRPC.
    if (status < 500 || status == 505) return {LogLevel::info, &Log::info, "Refused a request."};
    if (status == 503) return {LogLevel::warn, &Log::warn, "Could not serve a request."};
    return {LogLevel::error, &Log::error, "A request failed."};
}

// Calls `next` with the fields, and with one more if it is there.
template <class Next, class... Fields>
void with(bool is_there, const observe::LogField& field, Next next, const Fields&... fields) {
    is_there ? next(fields..., field) : next(fields...);
}

}  // namespace

void AnswerLog::note(const Answered& answered, Instant now) {
    const Kind kind = kind_of(answered.status);
    if (!log_.is_on(kind.level)) return;
    std::int64_t left_out = 0;
    if (kind.level != observe::LogLevel::debug) {
        const MutexLock lock(mutex_);
        left_out = enter(kind.level == observe::LogLevel::info ? refusals_ : failures_, now);
    }
    if (left_out < 0) return;

    const bool has_trace = answered.trace.is_present();
    const std::string trace = has_trace ? trace_id_text(answered.trace) : std::string();
    const auto write_facts = [&](const auto&... rare) {
        (log_.*kind.write)(kind.sentence, {{"requestId", answered.request_id}, rare...});
    };
    const auto write = [&](const auto&... rare) {
        const observe::LogField address{"remoteAddress", answered.remote_address};
        const observe::LogField duration{"durationMicroseconds", answered.duration.count()};
        if (!answered.rpc.empty()) {
            return write_facts(observe::LogField{"rpc", answered.rpc},
                               observe::LogField{"code", answered.code}, address, duration,
                               rare...);
        }
        write_facts(observe::LogField{"method", answered.method},
                    observe::LogField{"route", answered.route},
                    observe::LogField{"status", answered.status}, address, duration, rare...);
    };
    const auto with_left_out = [&](const auto&... rare) {
        with(left_out > 0, {"leftOut", left_out}, write, rare...);
    };
    const auto with_error = [&](const auto&... rare) {
        with(!answered.trouble.empty(), {"error", answered.trouble}, with_left_out, rare...);
    };
    with(has_trace, {"traceId", trace}, with_error);
}

std::int64_t AnswerLog::enter(Tally& tally, Instant now) {
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    if (second != tally.second) {
        tally.second = second;
        tally.lines = 0;
    }
    if (tally.lines == kLinesPerSecond) {
        tally.left_out += 1;
        return -1;
    }
    tally.lines += 1;
    return std::exchange(tally.left_out, 0);
}

}  // namespace millrace::http
