#include "api/grpc/workflow/definition_json.hpp"

#include <map>

#include "api/grpc/workflow/messages.hpp"
#include "api/grpc/workflow/struct_json.hpp"

namespace millrace::rpc {

namespace {

void set_text(json::Object& object, std::string_view key, const std::string& text) {
    if (!text.empty()) object.push_back({std::string(key), text});
}

Result<json::Value> boundary_events_json(const wire::WorkflowStep& step, const std::string& path) {
    json::Array events;
    for (const wire::BoundaryEvent& event : step.boundary_events()) {
        const std::string place = path + ".boundary_events[" + std::to_string(events.size()) + "]";
        Result<std::string> type = text_of(event.type(), place + ".type");
        if (!type) return type.error();
        json::Object object{{"type", std::move(*type)}};
        set_text(object, "duration", event.duration());
        object.push_back({"interrupting", event.interrupting()});
        set_text(object, "targetStepId", event.target_step_id());
        events.emplace_back(std::move(object));
    }
    return json::Value(std::move(events));
}

json::Object conditions_json(const wire::WorkflowStep& step) {
    json::Object conditions;
    const std::map<std::string, std::string> sorted(step.conditional_next_steps().begin(),
                                                    step.conditional_next_steps().end());
    for (const auto& [condition, target] : sorted) conditions.push_back({condition, target});
    return conditions;
}

Result<json::Value> transformations_json(const wire::WorkflowStep& step, const std::string& path) {
    std::map<std::string, const google::protobuf::Value*> sorted;
    for (const auto& [name, value] : step.transformations()) sorted.emplace(name, &value);
    json::Object transformations;
    for (const auto& [name, value] : sorted) {
        Result<json::Value> kept = value_of(*value, path + ".transformations." + name);
        if (!kept) return kept;
        transformations.push_back({name, std::move(*kept)});
    }
    return json::Value(std::move(transformations));
}

Result<json::Value> step_json(const wire::WorkflowStep& step, const std::string& path) {
    Result<std::string> type = text_of(step.type(), path + ".type");
    if (!type) return type.error();
    json::Object object{{"id", step.id()}, {"name", step.name()}, {"type", std::move(*type)}};
    set_text(object, "description", step.description());
    set_text(object, "nextStep", step.next_step());
    if (!step.parallel_next_steps().empty()) {
        json::Array targets;
        for (const std::string& target : step.parallel_next_steps()) targets.emplace_back(target);
        object.push_back({"parallelNextSteps", std::move(targets)});
    }
    set_text(object, "joinStep", step.join_step());
    if (!step.conditional_next_steps().empty()) {
        object.push_back({"conditionalNextSteps", conditions_json(step)});
    }
    if (!step.transformations().empty()) {
        Result<json::Value> transformations = transformations_json(step, path);
        if (!transformations) return transformations;
        object.push_back({"transformations", std::move(*transformations)});
    }
    set_text(object, "jobType", step.job_type());
    set_text(object, "delegateClass", step.delegate_class());
    if (step.retry_count() != 0) object.push_back({"retryCount", step.retry_count()});
    if (!step.boundary_events().empty()) {
        Result<json::Value> events = boundary_events_json(step, path);
        if (!events) return events;
        object.push_back({"boundaryEvents", std::move(*events)});
    }
    return json::Value(std::move(object));
}

void fill_boundary_event(wire::BoundaryEvent& into, const json::Value& event) {
    into.set_type(boundary_type_of(text_at(event, "type")));
    into.set_duration(text_at(event, "duration"));
    into.set_interrupting(flag_at(event, "interrupting"));
    into.set_target_step_id(text_at(event, "targetStepId"));
}

const json::Object& members_at(const json::Value& object, std::string_view key) {
    static const json::Object kNone;
    const json::Value* member = object.find(key);
    const json::Object* members = member != nullptr ? member->if_object() : nullptr;
    return members != nullptr ? *members : kNone;
}

Status fill_step(wire::WorkflowStep& into, const json::Value& step) {
    into.set_id(text_at(step, "id"));
    into.set_name(text_at(step, "name"));
    into.set_type(step_type_of(text_at(step, "type")));
    into.set_description(text_at(step, "description"));
    into.set_next_step(text_at(step, "nextStep"));
    for (const json::Value& target : array_at(step, "parallelNextSteps")) {
        if (const std::string* id = target.if_string()) into.add_parallel_next_steps(*id);
    }
    into.set_join_step(text_at(step, "joinStep"));
    for (const json::Member& each : members_at(step, "conditionalNextSteps")) {
        const std::string* target = each.value.if_string();
        if (target != nullptr) (*into.mutable_conditional_next_steps())[each.key] = *target;
    }
    for (const json::Member& each : members_at(step, "transformations")) {
        const Status filled = fill((*into.mutable_transformations())[each.key], each.value);
        if (!filled) return filled;
    }
    into.set_job_type(text_at(step, "jobType"));
    into.set_delegate_class(text_at(step, "delegateClass"));
    into.set_retry_count(number_at(step, "retryCount"));
    for (const json::Value& event : array_at(step, "boundaryEvents")) {
        fill_boundary_event(*into.add_boundary_events(), event);
    }
    return ok();
}

}  // namespace

Result<json::Value> definition_json(const wire::WorkflowDefinition& definition) {
    json::Object object{{"id", definition.id()}};
    if (definition.version() != 0) object.push_back({"version", definition.version()});
    object.push_back({"name", definition.name()});
    set_text(object, "description", definition.description());
    if (definition.auto_start_next_workflow()) object.push_back({"autoStartNextWorkflow", true});
    set_text(object, "nextWorkflowId", definition.next_workflow_id());
    json::Array steps;
    for (const wire::WorkflowStep& step : definition.steps()) {
        const std::string path = "definition.steps[" + std::to_string(steps.size()) + "]";
        Result<json::Value> kept = step_json(step, path);
        if (!kept) return kept;
        steps.push_back(std::move(*kept));
    }
    object.push_back({"steps", std::move(steps)});
    if (definition.has_metadata()) {
        Result<json::Value> metadata = value_of(definition.metadata(), "definition.metadata");
        if (!metadata) return metadata;
        object.push_back({"metadata", std::move(*metadata)});
    }
    return json::Value(std::move(object));
}

Status fill(wire::WorkflowDefinition& into, const json::Value& definition) {
    into.set_id(text_at(definition, "id"));
    into.set_version(number_at(definition, "version"));
    into.set_name(text_at(definition, "name"));
    into.set_description(text_at(definition, "description"));
    into.set_auto_start_next_workflow(flag_at(definition, "autoStartNextWorkflow"));
    into.set_next_workflow_id(text_at(definition, "nextWorkflowId"));
    for (const json::Value& step : array_at(definition, "steps")) {
        if (const Status filled = fill_step(*into.add_steps(), step); !filled) return filled;
    }
    const json::Value* metadata = definition.find("metadata");
    if (metadata == nullptr || !metadata->is_object()) return ok();
    return fill(*into.mutable_metadata(), *metadata);
}

}  // namespace millrace::rpc
