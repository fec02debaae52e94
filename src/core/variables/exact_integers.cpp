#include "core/variables/exact_integers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace millrace {

namespace {

constexpr double kExactBelow = 9007199254740992.0;  // 2^53

// A whole number that a double may have rounded, as that double.
std::optional<double> rounded(const json::Value& value) {
    double number = 0;
    if (const std::int64_t* integer = value.if_integer()) {
        number = static_cast<double>(*integer);
    } else if (const double* given = value.if_number()) {
        number = *given;
    }
    const bool is_rounded = std::abs(number) >= kExactBelow && std::trunc(number) == number;
    return is_rounded ? std::optional(number) : std::nullopt;
}

// What a value has that a double cannot tell apart, by that double.
struct Alike {
    std::set<std::int64_t> integers{};
    bool has_double = false;  // The double itself: no integer of 64 bits.
};
using Candidates = std::map<double, Alike>;

void collect(const json::Value& value, Candidates& candidates) {
    if (const auto number = rounded(value)) {
        Alike& alike = candidates[*number];
        if (const std::int64_t* integer = value.if_integer()) alike.integers.insert(*integer);
        alike.has_double = alike.has_double || value.if_number() != nullptr;
    } else if (const json::Array* array = value.if_array()) {
        for (const json::Value& item : *array) collect(item, candidates);
    } else if (const json::Object* object = value.if_object()) {
        for (const json::Member& member : *object) collect(member.value, candidates);
    }
}

const json::Value* item_at(const json::Value* sent, std::size_t index) {
    const json::Array* array = sent != nullptr ? sent->if_array() : nullptr;
    return array != nullptr && index < array->size() ? &(*array)[index] : nullptr;
}

// Finds members by name: so many look-ups among so many members would take the square of both if
// each walked through all. Sorted and not hashed: whoever chooses the names cannot make it slow.
class SentMembers {
public:
    // `sent` may be null, or no object.
    SentMembers(const json::Value* sent, std::size_t looks) : sent_(sent) {
        const json::Object* members = sent != nullptr ? sent->if_object() : nullptr;
        if (members == nullptr || looks <= kLooksWithoutIndex) return;
        for (const json::Member& member : *members) sorted_.push_back(&member);
        std::ranges::sort(sorted_, {}, name_of);
    }

    const json::Value* find(std::string_view name) const {
        if (sorted_.empty()) return sent_ != nullptr ? sent_->find(name) : nullptr;
        const auto found = std::ranges::lower_bound(sorted_, name, {}, name_of);
        return found != sorted_.end() && (*found)->key == name ? &(*found)->value : nullptr;
    }

private:
    static constexpr std::size_t kLooksWithoutIndex = 8;

    static std::string_view name_of(const json::Member* member) { return member->key; }

    const json::Value* sent_;
    std::vector<const json::Member*> sorted_{};
};

void restore_number(json::Value& value, const json::Value* sent, const Alike& alike) {
    if (sent != nullptr && sent->if_number() != nullptr && rounded(*sent) == rounded(value)) return;
    const std::int64_t* here = sent != nullptr ? sent->if_integer() : nullptr;
    if (here != nullptr && alike.integers.contains(*here)) {
        value = *here;
    } else if (alike.integers.size() == 1 && !alike.has_double) {
        value = *alike.integers.begin();
    }
}

// `sent` is what was sent at this path; null when there was nothing.
void restore(json::Value& value, const json::Value* sent, const Candidates& candidates) {
    if (const auto number = rounded(value)) {
        const auto found = candidates.find(*number);
        if (found != candidates.end()) restore_number(value, sent, found->second);
    } else if (json::Array* array = value.if_array()) {
        for (std::size_t i = 0; i < array->size(); ++i) {
            restore((*array)[i], item_at(sent, i), candidates);
        }
    } else if (json::Object* object = value.if_object()) {
        const SentMembers members(sent, object->size());
        for (json::Member& member : *object) {
            restore(member.value, members.find(member.key), candidates);
        }
    }
}

}  // namespace

bool has_rounded_integer(const json::Value& reported) {
    if (const json::Array* array = reported.if_array()) {
        return std::ranges::any_of(*array, has_rounded_integer);
    }
    if (const json::Object* object = reported.if_object()) {
        return std::ranges::any_of(
            *object, [](const json::Member& member) { return has_rounded_integer(member.value); });
    }
    return rounded(reported).has_value();
}

json::Value with_exact_integers(json::Value reported, const json::Value& sent) {
    Candidates candidates;
    collect(sent, candidates);
    restore(reported, &sent, candidates);
    return reported;
}

}  // namespace millrace
