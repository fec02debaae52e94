#include "base/json/value.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace millrace::json {

const Value* Value::find(std::string_view key) const {
    const Object* members = if_object();
    if (members == nullptr) return nullptr;
    const auto found = std::ranges::find(*members, key, &Member::key);
    return found == members->end() ? nullptr : &found->value;
}

void Value::set(std::string_view key, Value value) {
    Object* members = if_object();
    MILLRACE_CHECK(members != nullptr);
    const auto found = std::ranges::find(*members, key, &Member::key);
    if (found != members->end()) {
        found->value = std::move(value);
    } else {
        members->push_back({std::string(key), std::move(value)});
    }
}

bool operator==(const Value& left, const Value& right) {
    return left.data_ == right.data_;
}

}  // namespace millrace::json
