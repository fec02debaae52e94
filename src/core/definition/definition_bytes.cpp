#include "core/definition/definition_bytes.hpp"

namespace millrace {

namespace {

constexpr std::size_t kBlockBytes = 16;       // Around each piece of memory.
constexpr std::size_t kIndexEntryBytes = 64;  // Of a step, in the index of steps.

std::size_t text_bytes(const std::string& text) {
    return text.capacity() + kBlockBytes;
}

std::size_t text_bytes(const std::vector<std::string>& texts) {
    std::size_t bytes = texts.capacity() * sizeof(std::string) + kBlockBytes;
    for (const std::string& text : texts) bytes += text_bytes(text);
    return bytes;
}

// What the value holds besides itself.
std::size_t json_bytes(const json::Value& value) {
    if (const std::string* text = value.if_string()) return text_bytes(*text);
    std::size_t bytes = kBlockBytes;
    if (const json::Array* array = value.if_array()) {
        bytes += array->capacity() * sizeof(json::Value);
        for (const json::Value& item : *array) bytes += json_bytes(item);
    } else if (const json::Object* object = value.if_object()) {
        bytes += object->capacity() * sizeof(json::Member);
        for (const json::Member& member : *object) {
            bytes += text_bytes(member.key) + json_bytes(member.value);
        }
    }
    return bytes;
}

std::size_t step_bytes(const Step& step) {
    std::size_t bytes = sizeof(Step) + kIndexEntryBytes + text_bytes(step.id) +
                        text_bytes(step.name) + text_bytes(step.next_step) +
                        text_bytes(step.parallel_next_steps) + text_bytes(step.join_step) +
                        text_bytes(step.job_type) + text_bytes(step.assignee) +
                        text_bytes(step.candidate_groups) + json_bytes(step.form);
    for (const ConditionalStep& branch : step.conditional_next_steps) {
        bytes += sizeof(branch) + branch.condition.bytes() + text_bytes(branch.target_step_id);
    }
    for (const Transformation& change : step.transformations) {
        bytes += sizeof(change) + text_bytes(change.variable) + json_bytes(change.literal);
        if (change.expression) bytes += change.expression->bytes();
    }
    for (const BoundaryTimer& timer : step.boundary_timers) {
        bytes += sizeof(timer) + text_bytes(timer.target_step_id);
    }
    return bytes;
}

}  // namespace

std::size_t memory_bytes(const Definition& definition) {
    std::size_t bytes = sizeof(Definition) + text_bytes(definition.id) +
                        text_bytes(definition.name) + text_bytes(definition.chained_definition);
    for (const Step& step : definition.steps) bytes += step_bytes(step);
    return bytes;
}

}  // namespace millrace
