#include "base/json/sort_keys.hpp"

#include <algorithm>

namespace millrace::json {

void sort_keys(Value& value) {
    if (Array* items = value.if_array()) {
        for (Value& item : *items) sort_keys(item);
    }
    if (Object* members = value.if_object()) {
        for (Member& member : *members) sort_keys(member.value);
        std::ranges::sort(*members, {}, &Member::key);
    }
}

}  // namespace millrace::json
