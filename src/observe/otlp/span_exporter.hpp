#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/round.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "observe/otlp/export_request.hpp"
#include "observe/otlp/transport.hpp"

namespace millrace::observe::otlp {

struct ExporterLimits {
    std::size_t spans_waiting_max =
        20'000;  // Some ten megabytes; beyond it the oldest are dropped.
    std::size_t spans_per_request_max = 1'000;
    Duration wait_max = std::chrono::seconds(1);     // Of a span for others to go with.
    Duration reply_max = std::chrono::seconds(10);   // As OpenTelemetry has it by default.
    int tries_max = 6;                               // With these pauses, half a minute.
    Duration pause_first = std::chrono::seconds(1);  // Doubled with each try.
    Duration pause_max = std::chrono::seconds(30);   // Also of what a collector asks for.
};

// Sends spans to a collector, many at a time, in the background. What it cannot send it drops and
// counts: nothing that makes spans ever waits for it.
//
// Passive: a thread of src/runtime or a test calls run_once, one at a time. take() is thread-safe.
class SpanExporter final : public SpanSink {
public:
    // `wake` is called when there is enough for a request, on any thread.
    SpanExporter(Transport& transport, Resource resource, const Clock& clock, Metrics& metrics,
                 Log& log, std::function<void()> wake, ExporterLimits limits = {});

    void take(Span span) override;

    Round run_once();

    // From now on nothing waits for company. What is not sent by then is dropped.
    void close(Instant until);

private:
    // What is on its way, kept until it has arrived or is given up.
    struct Sending {
        std::string body{};
        std::size_t span_count = 0;
        int tries = 0;
        Instant next_try_at{};
    };

    std::optional<Instant> closing_at() const;
    std::optional<Instant> begin_sending(Instant now);
    Round send(Instant now);
    Round after_failure(std::string_view what, std::optional<Duration> pause_asked);
    void drop(std::string_view reason, std::size_t span_count);
    void drop_all();
    void note_health(bool is_healthy, std::string_view what);

    Transport& transport_;
    const Resource resource_;
    const Clock& clock_;
    Metrics& metrics_;
    Log& log_;
    const std::function<void()> wake_;
    const ExporterLimits limits_;

    // Only of the thread that calls run_once.
    std::optional<Sending> sending_{};
    bool was_healthy_ = true;

    mutable Mutex mutex_;
    std::deque<Span> waiting_ MILLRACE_GUARDED_BY(mutex_);
    Instant oldest_at_ MILLRACE_GUARDED_BY(mutex_){};  // When the first of them came.
    std::optional<Instant> close_at_ MILLRACE_GUARDED_BY(mutex_){};
};

}  // namespace millrace::observe::otlp
