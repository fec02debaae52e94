#include "core/instance/tracing.hpp"

namespace millrace {

std::optional<TraceContext> trace_context_of(const Instance& instance) {
    if (!instance.state.is_traced) return std::nullopt;
    const auto parent = parse_trace_parent(instance.state.trace_parent);
    if (!parent) return std::nullopt;
    return parent->at(span_id_of(instance.key.id.value));
}

std::string trace_parent_below(const Instance& instance, Id128 id) {
    const std::optional<TraceContext> context = trace_context_of(instance);
    if (!context) return instance.state.trace_parent;
    return trace_parent_text(context->at(span_id_of(id)));
}

}  // namespace millrace
