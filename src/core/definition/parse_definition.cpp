#include "core/definition/parse_definition.hpp"

#include <limits>
#include <utility>

#include "base/json/write.hpp"
#include "core/definition/compile.hpp"
#include "core/definition/document.hpp"
#include "core/definition/repetition.hpp"
#include "core/definition/rules.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

using definition::Draft;
using definition::Problems;

// Measured as it will be stored, so that what was accepted once can always be read again.
void check_bytes(const json::Value& document, Problems& problems) {
    const json::Value stored = with_version(document, std::numeric_limits<std::int32_t>::max());
    const std::size_t bytes = json::write(stored).size();
    if (bytes <= limits::kDefinitionBytesMax) return;
    problems.add("", "the definition must be \u2264 " +
                         std::to_string(limits::kDefinitionBytesMax) + " bytes, got " +
                         std::to_string(bytes));
}

// What is stored already was accepted by other rules, and stays accepted.
std::size_t memory_for_expressions(UnknownFields unknown) {
    return unknown == UnknownFields::ignore ? std::numeric_limits<std::size_t>::max()
                                            : limits::kDefinitionExpressionBytesMax;
}

std::shared_ptr<Definition> compile(const Draft& draft, std::size_t expression_bytes_max,
                                    Problems& problems) {
    auto out = std::make_shared<Definition>();
    out->id = draft.id;
    out->name = draft.name;
    if (draft.auto_start_next_workflow) out->chained_definition = draft.next_workflow_id;
    out->executor = compile_executor(draft, problems);
    if (draft.max_attempts != 0) {
        out->max_attempts = static_cast<std::int32_t>(draft.max_attempts);
    }
    out->steps.reserve(draft.steps.size());
    definition::ExpressionRoom room{.bytes_max = expression_bytes_max};
    for (std::size_t i = 0; i < draft.steps.size(); ++i) {
        check_step(draft, i, problems);
        out->steps.push_back(compile_step(draft, i, room, problems));
    }
    for (std::size_t i = 0; i < out->steps.size(); ++i) out->index.emplace(out->steps[i].id, i);
    out->steps_may_repeat = definition::steps_may_repeat(*out);
    return out;
}

// What earlier programs took stays accepted: what is stored is not held to newer rules.
enum class Held { to_all_rules, to_those_of_old };

Result<DefinitionPtr> parse_held(const json::Value& document, UnknownFields unknown, Held held) {
    Problems problems;
    const json::Value normal = definition::normalized(document, unknown, problems);
    // What has the wrong type was left out, so rules would speak of what is not the matter.
    if (!problems.has_only_unknown()) return problems.parse_error();
    const bool is_parse_error = !problems.empty();

    check_bytes(normal, problems);
    if (!problems.has_only_unknown()) return problems.validation_error();

    const Draft draft = definition::read_draft(normal);
    check_root(draft, problems);
    if (held == Held::to_all_rules) check_storable(draft, problems);
    std::shared_ptr<Definition> out = compile(draft, memory_for_expressions(unknown), problems);
    check_graph(draft, problems);
    if (is_parse_error) return problems.parse_error();
    if (!problems.empty()) return problems.validation_error();
    return DefinitionPtr(std::move(out));
}

}  // namespace

Result<DefinitionPtr> parse_definition(const json::Value& document, UnknownFields unknown) {
    return parse_held(document, unknown, Held::to_all_rules);
}

Result<DefinitionPtr> parse_stored_definition(const json::Value& document) {
    return parse_held(document, UnknownFields::ignore, Held::to_those_of_old);
}

}  // namespace millrace
