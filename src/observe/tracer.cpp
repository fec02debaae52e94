#include "observe/tracer.hpp"

namespace millrace::observe {

namespace {

// The trace id decides, so that all programs with the same ratio keep the same traces.
bool is_within(double ratio, std::uint64_t trace_id_low) {
    constexpr double kValues = static_cast<double>(std::uint64_t{1} << 56);
    const std::uint64_t random_bits = trace_id_low & ((std::uint64_t{1} << 56) - 1);
    return static_cast<double>(random_bits) < ratio * kValues;
}

}  // namespace

TraceContext Tracer::follow(const std::optional<TraceContext>& parent) const {
    if (!is_on()) return parent.value_or(TraceContext{});
    if (parent) return parent->is_sampled ? parent->at(new_span_id()) : *parent;
    const TraceContext begun = begin();
    return is_within(ratio_, begun.trace_id_low) ? begun : TraceContext{};
}

TraceContext Tracer::child_of(const TraceContext& parent) const {
    if (!is_on() || !parent.is_recorded) return {};
    return parent.at(new_span_id());
}

TraceContext Tracer::begin() const {
    if (!is_on()) return {};
    // Named one by one: arguments are evaluated in any order.
    const std::uint64_t high = random_->next();
    const std::uint64_t low = random_->next();
    return {high, low, new_span_id(), true, true};
}

std::uint64_t Tracer::new_span_id() const {
    const std::uint64_t id = random_->next();
    return id == 0 ? 1 : id;
}

}  // namespace millrace::observe
