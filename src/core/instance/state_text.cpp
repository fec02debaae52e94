#include "core/instance/state_text.hpp"

#include <algorithm>

#include "base/json/parse.hpp"
#include "base/json/write.hpp"

namespace millrace {

namespace {

using json::Value;

// Appends `"name":` to an object under way.
void key(std::string& out, std::string_view name) {
    if (out.back() != '{') out += ',';
    out += '"';
    out += name;
    out += "\":";
}

void integer(std::string& out, std::string_view name, std::int64_t number) {
    key(out, name);
    json::append_integer(out, number);
}

void string(std::string& out, std::string_view name, std::string_view text) {
    key(out, name);
    json::append_string(out, text);
}

void instant(std::string& out, std::string_view name, Instant at) {
    integer(out, name, at.time_since_epoch().count());
}

template <class Items, class AppendItem>
void list(std::string& out, std::string_view name, const Items& items, AppendItem append_item) {
    if (items.empty()) return;
    key(out, name);
    out += '[';
    for (const auto& item : items) {
        if (out.back() != '[') out += ',';
        append_item(out, item);
    }
    out += ']';
}

void append_sequence(std::string& out, std::uint32_t sequence) {
    json::append_integer(out, sequence);
}

void append_try(std::string& out, const Try& attempt) {
    out += '{';
    if (!attempt.worker_id.value.empty()) string(out, "workerId", attempt.worker_id.value);
    if (attempt.lease_token != 0) integer(out, "leaseToken", attempt.lease_token);
    if (attempt.started_at) instant(out, "startedAt", *attempt.started_at);
    instant(out, "endedAt", attempt.ended_at);
    string(out, "outcome", to_string(attempt.outcome));
    if (!attempt.message.empty()) string(out, "message", attempt.message);
    out += '}';
}

void append_timer(std::string& out, const OpenTimer& timer) {
    out += '{';
    integer(out, "sequence", timer.sequence);
    if (timer.boundary_timer != 0) integer(out, "boundaryTimer", timer.boundary_timer);
    instant(out, "fireAt", timer.fire_at);
    out += '}';
}

void append_open_step(std::string& out, const OpenStep& step) {
    out += '{';
    integer(out, "sequence", step.sequence);
    string(out, "stepId", step.step_id);
    string(out, "type", to_string(step.type));
    if (step.attempt_number != 1) integer(out, "attemptNumber", step.attempt_number);
    instant(out, "startedAt", step.started_at);
    list(out, "activations", step.activations, append_sequence);
    list(out, "timers", step.timers, append_timer);
    if (step.job_has_variables) integer(out, "jobHasVariables", 1);
    list(out, "tries", step.tries, append_try);
    if (step.first_job != 0) integer(out, "firstJob", step.first_job);
    if (step.is_done) integer(out, "done", 1);
    out += '}';
}

void append_activation(std::string& out, const Activation& activation) {
    out += '{';
    integer(out, "sequence", activation.sequence);
    string(out, "joinStepId", activation.join_step_id);
    list(out, "outer", activation.outer, append_sequence);
    if (activation.join_sequence != 0) integer(out, "joinSequence", activation.join_sequence);
    out += '}';
}

void append_visit(std::string& out, const Visit& visit) {
    out += '{';
    string(out, "stepId", visit.step_id);
    integer(out, "count", visit.count);
    out += '}';
}

void append_pending_token(std::string& out, const PendingToken& token) {
    out += '{';
    string(out, "stepId", token.step_id);
    list(out, "activations", token.activations, append_sequence);
    if (token.first_job != 0) integer(out, "firstJob", token.first_job);
    out += '}';
}

void append_pending_start(std::string& out, const PendingStart& chain) {
    key(out, "pendingStart");
    out += '{';
    string(out, "definitionId", chain.definition_id);
    integer(out, "automaticSteps", chain.automatic_steps);
    integer(out, "timer", chain.timer);
    out += '}';
}

// Reads the members of an object one by one; any surprise makes the whole text unreadable.
class Reading {
public:
    bool failed() const { return failed_; }
    void fail() { failed_ = true; }

    std::int64_t integer(const Value& value) {
        const std::int64_t* number = value.if_integer();
        if (number == nullptr) fail();
        return number == nullptr ? 0 : *number;
    }
    std::uint32_t sequence(const Value& value) {
        return static_cast<std::uint32_t>(integer(value));
    }
    std::int32_t count(const Value& value) { return static_cast<std::int32_t>(integer(value)); }
    Instant instant(const Value& value) { return Instant{Duration{integer(value)}}; }
    std::string string(const Value& value) {
        const std::string* text = value.if_string();
        if (text == nullptr) fail();
        return text == nullptr ? std::string{} : *text;
    }
    template <class Enum>
    Enum parsed(std::optional<Enum> value) {
        if (!value) fail();
        return value.value_or(Enum{});
    }
    // Calls `read(item, value)` for each item of an array.
    template <class Item, class ReadItem>
    std::vector<Item> list(const Value& value, ReadItem read) {
        std::vector<Item> items;
        const json::Array* array = value.if_array();
        if (array == nullptr) {
            fail();
            return items;
        }
        items.reserve(array->size());
        for (const Value& element : *array) items.push_back(read(*this, element));
        return items;
    }
    // Calls `read(name, value)` for each member of an object; false means an unknown name.
    template <class ReadMember>
    void object(const Value& value, ReadMember read) {
        const json::Object* members = value.if_object();
        if (members == nullptr) return fail();
        for (const json::Member& member : *members) {
            if (!read(std::string_view(member.key), member.value)) fail();
        }
    }
    std::vector<std::uint32_t> sequences(const Value& value) {
        return list<std::uint32_t>(
            value, [](Reading& in, const Value& element) { return in.sequence(element); });
    }

private:
    bool failed_ = false;
};

Try read_try(Reading& in, const Value& value) {
    Try attempt;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "workerId") return attempt.worker_id.value = in.string(member), true;
        if (name == "leaseToken") return attempt.lease_token = in.integer(member), true;
        if (name == "startedAt") return attempt.started_at = in.instant(member), true;
        if (name == "endedAt") return attempt.ended_at = in.instant(member), true;
        if (name == "outcome") {
            return attempt.outcome = in.parsed(parse_try_outcome(in.string(member))), true;
        }
        if (name == "message") return attempt.message = in.string(member), true;
        return false;
    });
    return attempt;
}

OpenTimer read_timer(Reading& in, const Value& value) {
    OpenTimer timer;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "sequence") return timer.sequence = in.sequence(member), true;
        if (name == "boundaryTimer") return timer.boundary_timer = in.sequence(member), true;
        if (name == "fireAt") return timer.fire_at = in.instant(member), true;
        return false;
    });
    return timer;
}

OpenStep read_open_step(Reading& in, const Value& value) {
    OpenStep step;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "sequence") return step.sequence = in.sequence(member), true;
        if (name == "stepId") return step.step_id = in.string(member), true;
        if (name == "type") return step.type = in.parsed(parse_step_type(in.string(member))), true;
        if (name == "attemptNumber") return step.attempt_number = in.count(member), true;
        if (name == "startedAt") return step.started_at = in.instant(member), true;
        if (name == "activations") return step.activations = in.sequences(member), true;
        if (name == "timers") return step.timers = in.list<OpenTimer>(member, read_timer), true;
        if (name == "jobHasVariables") return step.job_has_variables = true;
        if (name == "tries") return step.tries = in.list<Try>(member, read_try), true;
        if (name == "firstJob") return step.first_job = in.sequence(member), true;
        if (name == "done") return step.is_done = true;
        return false;
    });
    return step;
}

Activation read_activation(Reading& in, const Value& value) {
    Activation activation;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "sequence") return activation.sequence = in.sequence(member), true;
        if (name == "joinStepId") return activation.join_step_id = in.string(member), true;
        if (name == "outer") return activation.outer = in.sequences(member), true;
        if (name == "joinSequence") return activation.join_sequence = in.sequence(member), true;
        return false;
    });
    return activation;
}

Visit read_visit(Reading& in, const Value& value) {
    Visit visit;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "stepId") return visit.step_id = in.string(member), true;
        if (name == "count") return visit.count = in.count(member), true;
        return false;
    });
    return visit;
}

PendingToken read_pending_token(Reading& in, const Value& value) {
    PendingToken token;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "stepId") return token.step_id = in.string(member), true;
        if (name == "activations") return token.activations = in.sequences(member), true;
        if (name == "firstJob") return token.first_job = in.sequence(member), true;
        return false;
    });
    return token;
}

PendingStart read_pending_start(Reading& in, const Value& value) {
    PendingStart chain;
    in.object(value, [&](std::string_view name, const Value& member) {
        if (name == "definitionId") return chain.definition_id = in.string(member), true;
        if (name == "automaticSteps") return chain.automatic_steps = in.count(member), true;
        if (name == "timer") return chain.timer = in.sequence(member), true;
        return false;
    });
    return chain;
}

// The next number is above all that are in use. A step's job or user task has the number after it.
bool gives_new_numbers(const InstanceState& state) {
    const auto is_old = [&](std::uint32_t sequence) {
        return sequence <= state.sequence;
    };
    const auto is_old_step = [&](const OpenStep& step) {
        return is_old(step.sequence) &&
               std::ranges::all_of(step.timers, is_old, &OpenTimer::sequence);
    };
    return std::ranges::all_of(state.open_steps, is_old_step) &&
           std::ranges::all_of(state.activations, is_old, &Activation::sequence);
}

}  // namespace

std::string state_text(const InstanceState& state) {
    std::string out = "{";
    integer(out, "sequence", state.sequence);
    list(out, "openSteps", state.open_steps, append_open_step);
    list(out, "activations", state.activations, append_activation);
    list(out, "visits", state.visits, append_visit);
    if (state.failed_sequence != 0) integer(out, "failedSequence", state.failed_sequence);
    list(out, "pendingTokens", state.pending_tokens, append_pending_token);
    // The lists of instances look for this very text.
    if (state.is_suspended) integer(out, "suspended", 1);
    if (state.variables_version != 0) integer(out, "variablesVersion", state.variables_version);
    if (!state.chain_failure.empty()) string(out, "chainFailure", state.chain_failure);
    if (state.pending_start) append_pending_start(out, *state.pending_start);
    out += '}';
    return out;
}

std::optional<InstanceState> parse_state_text(std::string_view text) {
    const Result<Value> document = json::parse(text);
    if (!document) return std::nullopt;

    Reading in;
    InstanceState state;
    in.object(*document, [&](std::string_view name, const Value& member) {
        if (name == "sequence") return state.sequence = in.sequence(member), true;
        if (name == "openSteps") {
            return state.open_steps = in.list<OpenStep>(member, read_open_step), true;
        }
        if (name == "activations") {
            return state.activations = in.list<Activation>(member, read_activation), true;
        }
        if (name == "visits") return state.visits = in.list<Visit>(member, read_visit), true;
        if (name == "failedSequence") return state.failed_sequence = in.sequence(member), true;
        if (name == "pendingTokens") {
            return state.pending_tokens = in.list<PendingToken>(member, read_pending_token), true;
        }
        if (name == "suspended") return state.is_suspended = true;
        if (name == "variablesVersion") return state.variables_version = in.integer(member), true;
        if (name == "chainFailure") return state.chain_failure = in.string(member), true;
        if (name == "pendingStart") {
            return state.pending_start = read_pending_start(in, member), true;
        }
        return false;
    });
    if (in.failed() || !gives_new_numbers(state)) return std::nullopt;
    return state;
}

std::string tries_text(const std::vector<Try>& tries) {
    std::string out = "[";
    for (const Try& attempt : tries) {
        if (out.back() != '[') out += ',';
        append_try(out, attempt);
    }
    out += ']';
    return out;
}

std::optional<std::vector<Try>> parse_tries_text(std::string_view text) {
    const Result<Value> document = json::parse(text);
    if (!document) return std::nullopt;
    Reading in;
    std::vector<Try> tries = in.list<Try>(*document, read_try);
    if (in.failed()) return std::nullopt;
    return tries;
}

std::string group_text(const std::vector<std::string>& groups) {
    if (groups.empty()) return {};
    std::string text = "\n";
    for (const std::string& group : groups) text += group + "\n";
    return text;
}

std::vector<std::string> parse_group_text(std::string_view text) {
    std::vector<std::string> groups;
    for (std::size_t begin = 1; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        groups.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return groups;
}

}  // namespace millrace
