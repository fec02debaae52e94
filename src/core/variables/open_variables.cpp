#include "core/variables/open_variables.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "base/json/measure.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

constexpr std::size_t kNamesPerUnit = 4;  // Looked at, to find one.

// `"name":` and a comma.
std::size_t bytes_of_name(std::string_view name) {
    std::string text;
    json::append_string(text, name);
    return text.size() + 2;
}

std::size_t work_on(std::size_t bytes, std::size_t values) {
    return bytes / bytes_per_unit::kWritten + values;
}

}  // namespace

OpenVariables::Size OpenVariables::size_of(const json::Value& value) {
    const json::Measure measure = json::measure(value);
    return {json::write(value).size(), measure.values, measure.depth};
}

void OpenVariables::set(std::string_view name, json::Value value, WorkMeter& meter) {
    if (!size_) {
        size_ = size_of(members_.value());
        meter.charge(work_on(size_->bytes, size_->values));
    }
    std::size_t looks = 0;
    const std::optional<std::size_t> place = members_.place_of(name, looks);
    const Size added = size_of(value);
    Change change{.place = place.value_or(members_.members().size()), .size_before = *size_};
    if (place) {
        change.before = members_.replace(*place, std::move(value));
        const Size removed = size_of(*change.before);
        size_->bytes -= removed.bytes;
        size_->values -= removed.values;
        (void)meter.spend(work_on(removed.bytes, removed.values));
    } else {
        members_.append(name, std::move(value), looks);
        size_->bytes += bytes_of_name(name);
    }
    size_->bytes += added.bytes;
    size_->values += added.values;
    size_->depth = std::max(size_->depth, added.depth + 1);
    changes_.push_back(std::move(change));
    // Whether it was too much, whoever sets asks the meter.
    (void)meter.spend(1 + looks / kNamesPerUnit + work_on(added.bytes, added.values));
}

// The first change of each place knows how it was before the step.
bool OpenVariables::has_changed() const {
    std::set<std::size_t> seen;
    for (const Change& change : changes_) {
        if (!change.before) return true;
        if (!seen.insert(change.place).second) continue;
        if (*change.before != members_.members()[change.place].value) return true;
    }
    return false;
}

Status OpenVariables::fits() const {
    if (!size_) return ok();
    if (size_->bytes > limits::kVariablesBytesMax) {
        return Error{ErrorCode::too_large,
                     "Expected variables of at most " + std::to_string(limits::kVariablesBytesMax) +
                         " bytes, but they would have " + std::to_string(size_->bytes) + "."};
    }
    if (size_->values > limits::kJsonValuesMax) {
        return Error{ErrorCode::too_large,
                     "Expected variables of at most " + std::to_string(limits::kJsonValuesMax) +
                         " values, but they would have " + std::to_string(size_->values) + "."};
    }
    if (size_->depth > limits::kJsonDepthMax) {
        return Error{ErrorCode::too_large, "Expected variables of at most " +
                                               std::to_string(limits::kJsonDepthMax) + " levels."};
    }
    return ok();
}

void OpenVariables::roll_back() {
    for (; !changes_.empty(); changes_.pop_back()) {
        Change& change = changes_.back();
        size_ = change.size_before;
        if (change.before) {
            members_.replace(change.place, std::move(*change.before));
        } else {
            members_.shrink_to(change.place);
        }
    }
}

Variables OpenVariables::take_text() {
    is_changed_ = false;
    Result<Variables> text = Variables::from_value(members_.value());
    MILLRACE_CHECK(text);  // fits() has said so after each step.
    return std::move(*text);
}

}  // namespace millrace
