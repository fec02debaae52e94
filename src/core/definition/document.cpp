#include "core/definition/document.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace millrace::definition {

namespace {

enum class Shape {
    text,
    integer,
    number,
    flag,
    texts,
    text_map,
    anything_map,
    anything,
    steps,
    boundary_events,
    retry_policy,
    executor,
    timeouts,
    run_retry,
};

struct Field {
    std::string_view name;
    Shape shape;
};

constexpr Field kRootFields[] = {
    {"id", Shape::text},
    {"version", Shape::integer},
    {"name", Shape::text},
    {"description", Shape::text},
    {"autoStartNextWorkflow", Shape::flag},
    {"nextWorkflowId", Shape::text},
    {"executor", Shape::executor},
    {"maxAttempts", Shape::integer},
    {"steps", Shape::steps},
    {"metadata", Shape::anything_map},
};

// Tells editors which schema a file keeps.
constexpr std::string_view kSchemaField = "$schema";

constexpr Field kStepFields[] = {
    {"id", Shape::text},
    {"name", Shape::text},
    {"type", Shape::text},
    {"description", Shape::text},
    {"nextStep", Shape::text},
    {"parallelNextSteps", Shape::texts},
    {"joinStep", Shape::text},
    {"conditionalNextSteps", Shape::text_map},
    {"transformations", Shape::anything_map},
    {"jobType", Shape::text},
    {"delegateClass", Shape::text},
    {"retryCount", Shape::integer},
    {"boundaryEvents", Shape::boundary_events},
    {"retryPolicy", Shape::retry_policy},
    {"timeout", Shape::text},
    {"assignee", Shape::text},
    {"candidateGroups", Shape::texts},
    {"form", Shape::anything},
};

constexpr Field kRetryPolicyFields[] = {
    {"initialDelay", Shape::text},
    {"factor", Shape::number},
    {"maxDelay", Shape::text},
    {"jitter", Shape::number},
};

constexpr Field kBoundaryEventFields[] = {
    {"type", Shape::text},
    {"duration", Shape::text},
    {"interrupting", Shape::flag},
    {"targetStepId", Shape::text},
};

constexpr Field kExecutorFields[] = {
    {"kind", Shape::text},       {"target", Shape::text},       {"namespace", Shape::text},
    {"taskQueue", Shape::text},  {"workflowType", Shape::text}, {"timeouts", Shape::timeouts},
    {"retry", Shape::run_retry},
};

constexpr Field kTimeoutsFields[] = {
    {"execution", Shape::text},
    {"run", Shape::text},
    {"task", Shape::text},
};

constexpr Field kRunRetryFields[] = {
    {"initialInterval", Shape::text},         {"backoffCoefficient", Shape::number},
    {"maximumInterval", Shape::text},         {"maximumAttempts", Shape::integer},
    {"nonRetryableErrorTypes", Shape::texts},
};

std::string_view noun(Shape shape) {
    switch (shape) {
        case Shape::text: return "a string";
        case Shape::integer: return "a whole number";
        case Shape::number: return "a number";
        case Shape::flag: return "true or false";
        case Shape::texts: return "an array of strings";
        case Shape::text_map: return "an object of strings";
        case Shape::anything_map:
        case Shape::retry_policy:
        case Shape::executor:
        case Shape::timeouts:
        case Shape::run_retry: return "an object";
        case Shape::anything: return "a value";
        case Shape::steps:
        case Shape::boundary_events: return "an array of objects";
    }
    std::abort();
}

bool same_ignoring_case(std::string_view left, std::string_view right) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    };
    return std::ranges::equal(left, right, {}, lower, lower);
}

const Field* find_field(std::span<const Field> fields, std::string_view name) {
    const auto is_meant = [&](const Field& field) {
        return same_ignoring_case(field.name, name);
    };
    const auto found = std::ranges::find_if(fields, is_meant);
    return found == fields.end() ? nullptr : &*found;
}

bool is_text(const json::Value& value) {
    return value.if_string() != nullptr;
}

bool is_member_text(const json::Member& member) {
    return is_text(member.value);
}

// JSON has one kind of number, so 3.0 is as whole as 3.
bool is_whole(const json::Value& value) {
    constexpr double kBound = 9'223'372'036'854'775'808.0;
    const double* number = value.if_number();
    return value.if_integer() != nullptr ||
           (number != nullptr && std::trunc(*number) == *number && std::abs(*number) < kBound);
}

bool has_shape(const json::Value& value, Shape shape) {
    const json::Array* items = value.if_array();
    const json::Object* members = value.if_object();
    switch (shape) {
        case Shape::text: return is_text(value);
        case Shape::integer: return is_whole(value);
        case Shape::number: return value.if_integer() != nullptr || value.if_number() != nullptr;
        case Shape::flag: return value.if_boolean() != nullptr;
        case Shape::texts: return items != nullptr && std::ranges::all_of(*items, is_text);
        case Shape::text_map:
            return members != nullptr && std::ranges::all_of(*members, is_member_text);
        case Shape::anything_map:
        case Shape::retry_policy:
        case Shape::executor:
        case Shape::timeouts:
        case Shape::run_retry: return members != nullptr;
        case Shape::anything: return true;
        case Shape::steps:
        case Shape::boundary_events:
            return items != nullptr && std::ranges::all_of(*items, &json::Value::is_object);
    }
    std::abort();
}

bool is_zero_or_empty(const json::Value& value) {
    switch (value.kind()) {
        case json::Kind::null: return true;
        case json::Kind::boolean: return !*value.if_boolean();
        case json::Kind::integer: return *value.if_integer() == 0;
        case json::Kind::number: return *value.if_number() == 0;
        case json::Kind::string: return value.if_string()->empty();
        case json::Kind::array: return value.if_array()->empty();
        case json::Kind::object: return value.if_object()->empty();
    }
    std::abort();
}

// Where zero or nothing says something else than leaving the field out.
bool keeps_zero(const Field& field) {
    return field.name == "interrupting" || field.shape == Shape::number ||
           field.shape == Shape::retry_policy || field.shape == Shape::executor ||
           field.shape == Shape::run_retry;
}

std::string joined(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}

class Normalizer {
public:
    Normalizer(UnknownFields unknown, Problems& problems)
        : unknown_(unknown), problems_(problems) {}

    json::Value object(const json::Object& members, std::span<const Field> fields,
                       const std::string& path) {
        json::Value out = json::Object{};
        for (const json::Member& member : members) {
            const Field* field = find_field(fields, member.key);
            if (path.empty() && member.key == kSchemaField) {
                check_schema_field(member.value);
            } else if (field == nullptr) {
                keep_unknown(member, fields, path, out);
            } else if (!member.value.is_null()) {
                keep(member, *field, path, out);
            }
        }
        return out;
    }

private:
    // Not kept: with and without it a definition is the same.
    void check_schema_field(const json::Value& value) {
        if (value.if_string() != nullptr) return;
        problems_.add(std::string(kSchemaField), std::string(kSchemaField) + " must be a string");
    }

    void keep_unknown(const json::Member& member, std::span<const Field> fields,
                      const std::string& path, json::Value& out) {
        out.if_object()->push_back(member);
        if (unknown_ == UnknownFields::ignore) return;
        std::vector<std::string_view> names;
        if (!problems_.is_full()) {
            for (const Field& field : fields) names.push_back(field.name);
        }
        const std::string where = path.empty() ? "" : " in " + path;
        problems_.add_unknown(joined(path, member.key), "unknown field " + quoted(member.key) +
                                                            where + meant_by(member.key, names));
    }

    void keep(const json::Member& member, const Field& field, const std::string& path,
              json::Value& out) {
        const std::string here = joined(path, field.name);
        if (out.find(field.name) != nullptr) {
            problems_.add(here, here + " stands twice");
        } else if (!has_shape(member.value, field.shape)) {
            problems_.add(here, here + " must be " + std::string(noun(field.shape)));
        } else {
            // An object may be empty only once its own fields are left out.
            json::Value value = normal(member.value, field.shape, here);
            if (!keeps_zero(field) && is_zero_or_empty(value)) return;
            out.set(field.name, std::move(value));
        }
    }

    json::Value normal(const json::Value& value, Shape shape, const std::string& path) {
        switch (shape) {
            case Shape::integer: return whole(value);
            case Shape::steps: return objects(*value.if_array(), kStepFields, path);
            case Shape::boundary_events: return boundary_events(*value.if_array(), path);
            case Shape::retry_policy: return object(*value.if_object(), kRetryPolicyFields, path);
            case Shape::executor: return object(*value.if_object(), kExecutorFields, path);
            case Shape::timeouts: return object(*value.if_object(), kTimeoutsFields, path);
            case Shape::run_retry: return object(*value.if_object(), kRunRetryFields, path);
            case Shape::number:
            case Shape::anything:
            case Shape::text:
            case Shape::flag:
            case Shape::texts:
            case Shape::text_map:
            case Shape::anything_map: return value;
        }
        std::abort();
    }

    static json::Value whole(const json::Value& value) {
        const double* number = value.if_number();
        return number == nullptr ? value : json::Value(static_cast<std::int64_t>(*number));
    }

    json::Value objects(const json::Array& items, std::span<const Field> fields,
                        const std::string& path) {
        json::Array out;
        for (const json::Value& item : items) {
            const std::string here = path + "[" + std::to_string(out.size()) + "]";
            out.push_back(object(*item.if_object(), fields, here));
        }
        return out;
    }

    json::Value boundary_events(const json::Array& items, const std::string& path) {
        json::Value events = objects(items, kBoundaryEventFields, path);
        for (json::Value& event : *events.if_array()) {
            if (event.find("interrupting") == nullptr) event.set("interrupting", false);
        }
        return events;
    }

    UnknownFields unknown_;
    Problems& problems_;
};

}  // namespace

json::Value normalized(const json::Value& document, UnknownFields unknown, Problems& problems) {
    if (!document.is_object()) {
        problems.add("", "a definition must be an object");
        return document;
    }
    return Normalizer(unknown, problems).object(*document.if_object(), kRootFields, "");
}

}  // namespace millrace::definition
