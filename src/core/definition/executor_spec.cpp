#include "core/definition/executor_spec.hpp"

namespace millrace {

std::string_view to_string(ExecutorKind kind) {
    return kind == ExecutorKind::native ? "native" : "temporal";
}

std::optional<ExecutorKind> parse_executor_kind(std::string_view text) {
    if (text == "native") return ExecutorKind::native;
    if (text == "temporal") return ExecutorKind::temporal;
    return std::nullopt;
}

}  // namespace millrace
