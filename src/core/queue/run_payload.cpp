#include "core/queue/run_payload.hpp"

#include "base/json/write.hpp"

namespace millrace {

std::string run_payload(const Execution& execution, const Definition& definition,
                        const Variables& input) {
    std::string text;
    text.reserve(256 + input.text().size());
    text += R"({"executionId":)";
    json::append_string(text, to_string(execution.key.id.value));
    text += R"(,"workspaceId":)";
    json::append_string(text, execution.key.workspace_id.value);
    text += R"(,"definitionId":)";
    json::append_string(text, execution.definition.id);
    text += R"(,"definitionVersion":)";
    json::append_integer(text, execution.definition.version);
    text += R"(,"nodeIds":[)";
    for (std::size_t i = 0; i < definition.steps.size(); ++i) {
        if (i > 0) text += ',';
        json::append_string(text, definition.steps[i].id);
    }
    text += R"(],"input":)";
    text += input.text();
    text += '}';
    return text;
}

}  // namespace millrace
