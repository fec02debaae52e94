#include "observe/otlp/span_exporter.hpp"

#include <algorithm>
#include <iterator>

namespace millrace::observe::otlp {

namespace {

// The "retryable response codes" of the OTLP specification.
bool may_be_sent_again(int status) {
    return status == 429 || status == 502 || status == 503 || status == 504;
}

}  // namespace

SpanExporter::SpanExporter(Transport& transport, Resource resource, const Clock& clock,
                           Metrics& metrics, Log& log, std::function<void()> wake,
                           ExporterLimits limits)
    : transport_(transport),
      resource_(std::move(resource)),
      clock_(clock),
      metrics_(metrics),
      log_(log),
      wake_(std::move(wake)),
      limits_(limits) {}

void SpanExporter::take(Span span) {
    bool is_first = false;
    bool is_enough = false;
    bool is_too_much = false;
    {
        const MutexLock lock(mutex_);
        is_first = waiting_.empty();
        if (is_first) oldest_at_ = clock_.now();
        waiting_.push_back(std::move(span));
        is_enough = waiting_.size() == limits_.spans_per_request_max;
        is_too_much = waiting_.size() > limits_.spans_waiting_max;
        if (is_too_much) waiting_.pop_front();
    }
    if (is_too_much) drop("queue_full", 1);
    if (is_first || is_enough) wake_();
}

Round SpanExporter::run_once() {
    const Instant now = clock_.now();
    const std::optional<Instant> close_at = closing_at();
    if (close_at && now >= *close_at) {
        drop_all();
        return {};
    }
    if (!sending_) {
        const std::optional<Instant> due_at = begin_sending(now);
        if (!sending_) return {.next_at = due_at};
    }
    if (now < sending_->next_try_at) return {.next_at = sending_->next_try_at};
    return send(now);
}

void SpanExporter::close(Instant until) {
    {
        const MutexLock lock(mutex_);
        close_at_ = until;
    }
    wake_();
}

std::optional<Instant> SpanExporter::closing_at() const {
    const MutexLock lock(mutex_);
    return close_at_;
}

// Takes what goes next. When that is nothing yet, tells when it will be something.
std::optional<Instant> SpanExporter::begin_sending(Instant now) {
    std::vector<Span> spans;
    {
        const MutexLock lock(mutex_);
        if (waiting_.empty()) return std::nullopt;
        const Instant due_at = oldest_at_ + limits_.wait_max;
        const bool is_enough = waiting_.size() >= limits_.spans_per_request_max;
        if (!is_enough && !close_at_ && now < due_at) return due_at;

        const std::size_t count = std::min(waiting_.size(), limits_.spans_per_request_max);
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
        spans.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
        waiting_.erase(waiting_.begin(), end);
        oldest_at_ = now;
    }
    sending_ = Sending{.body = export_request(resource_, spans), .span_count = spans.size()};
    return std::nullopt;
}

Round SpanExporter::send(Instant now) {
    sending_->tries += 1;
    const Instant reply_by = now + limits_.reply_max;
    const auto gives_up = [&] {
        const std::optional<Instant> close_at = closing_at();
        return clock_.now() >= std::min(reply_by, close_at.value_or(reply_by));
    };
    const Result<Reply> reply = transport_.post(sending_->body, gives_up);
    if (!reply) return after_failure(reply.error().detail, std::nullopt);

    const std::string answer = "It answered with " + std::to_string(reply->status) + ".";
    if (may_be_sent_again(reply->status)) return after_failure(answer, reply->retry_after);
    const bool is_taken = reply->status >= 200 && reply->status < 300;
    note_health(is_taken, answer);
    if (is_taken) {
        metrics_.trace_spans_exported.add(sending_->span_count);
    } else {
        drop("refused", sending_->span_count);
    }
    sending_.reset();
    return {.progressed = true};
}

Round SpanExporter::after_failure(std::string_view what, std::optional<Duration> pause_asked) {
    note_health(false, what);
    const Duration doubled = limits_.pause_first * (1 << (sending_->tries - 1));
    const Duration pause = std::min(pause_asked.value_or(doubled), limits_.pause_max);
    const Instant next_try_at = clock_.now() + pause;
    const std::optional<Instant> close_at = closing_at();
    const bool is_too_late = close_at && next_try_at >= *close_at;
    if (sending_->tries >= limits_.tries_max || is_too_late) {
        drop("unreachable", sending_->span_count);
        sending_.reset();
        return {.progressed = true};
    }
    sending_->next_try_at = next_try_at;
    return {.next_at = next_try_at};
}

void SpanExporter::drop(std::string_view reason, std::size_t span_count) {
    metrics_.trace_spans_dropped(reason).add(span_count);
}

void SpanExporter::drop_all() {
    std::size_t span_count = sending_ ? sending_->span_count : 0;
    sending_.reset();
    {
        const MutexLock lock(mutex_);
        span_count += waiting_.size();
        waiting_.clear();
    }
    if (span_count > 0) drop("unreachable", span_count);
}

void SpanExporter::note_health(bool is_healthy, std::string_view what) {
    if (is_healthy == was_healthy_) return;
    was_healthy_ = is_healthy;
    if (is_healthy) {
        log_.info("The collector of traces answers again.");
    } else {
        log_.warn("The collector of traces does not take spans; they are kept for a while.",
                  {{"what", what}});
    }
}

}  // namespace millrace::observe::otlp
