#include "base/json/reader.hpp"

#include <algorithm>

namespace millrace::json {

namespace {

// Room made at once: growing from one item to four costs a third of the time of a whole parse.
constexpr std::size_t kFirstItems = 4;

// Below this many members, comparing all pairs is cheaper than sorting.
constexpr std::size_t kFewMembers = 24;

// Null when each key stands once.
const std::string* key_of_few_twice(const Object& members) {
    for (auto left = members.begin(); left != members.end(); ++left) {
        for (auto right = members.begin(); right != left; ++right) {
            if (left->key == right->key) return &left->key;
        }
    }
    return nullptr;
}

const std::string* key_of_many_twice(const Object& members) {
    std::vector<const std::string*> keys;
    keys.reserve(members.size());
    for (const Member& member : members) keys.push_back(&member.key);
    const auto order = [](const std::string* left, const std::string* right) {
        return *left < *right;
    };
    std::ranges::sort(keys, order);
    const auto same = [](const std::string* left, const std::string* right) {
        return *left == *right;
    };
    const auto twice = std::ranges::adjacent_find(keys, same);
    return twice == keys.end() ? nullptr : *twice;
}

const std::string* key_twice(const Object& members) {
    return members.size() <= kFewMembers ? key_of_few_twice(members) : key_of_many_twice(members);
}

}  // namespace

bool Reader::read_value(Value& out) {
    skip_space();
    if (at_ == end_) return fail(at_, "expected a value, but the text ends");
    if (++values_ > values_max_)
        return fail(at_, "more than " + std::to_string(values_max_) + " values");
    switch (*at_) {
        case '{':
        case '[': return read_nested(out);
        case '"': return read_string(out.emplace_string());
        case 't': return read_word("true", true, out);
        case 'f': return read_word("false", false, out);
        case 'n': return read_word("null", nullptr, out);
        default: return read_number(out);
    }
}

bool Reader::at_end() {
    skip_space();
    return at_ == end_ || fail(at_, "expected the end of the text behind the value");
}

bool Reader::read_nested(Value& out) {
    if (depth_ == kDepthMax)
        return fail(at_, "nested deeper than " + std::to_string(kDepthMax) + " levels");
    ++depth_;
    const bool is_array = *at_ == '[';
    const bool read =
        is_array ? read_array(out.emplace_array()) : read_object(out.emplace_object());
    --depth_;
    return read;
}

bool Reader::read_array(Array& out) {
    ++at_;
    if (take(']')) return true;
    out.reserve(kFirstItems);
    do {
        if (!read_value(out.emplace_back())) return false;
    } while (take(','));
    return take(']') || fail(at_, "expected ',' or ']'");
}

bool Reader::read_object(Object& out) {
    const char* start = at_++;
    if (take('}')) return true;
    out.reserve(kFirstItems);
    do {
        if (!read_member(out)) return false;
    } while (take(','));
    if (!take('}')) return fail(at_, "expected ',' or '}'");

    const std::string* twice = key_twice(out);
    return twice == nullptr || fail(start, "the key \"" + *twice + "\" stands twice in one object");
}

bool Reader::read_member(Object& out) {
    skip_space();
    if (at_ == end_ || *at_ != '"') return fail(at_, "expected a key in double quotes");
    Member& member = out.emplace_back();
    if (!read_string(member.key)) return false;
    if (!take(':')) return fail(at_, "expected ':'");
    return read_value(member.value);
}

bool Reader::read_word(std::string_view word, Value meaning, Value& out) {
    if (!std::string_view(at_, end_).starts_with(word)) return fail(at_, "expected a value");
    at_ += word.size();
    out = std::move(meaning);
    return true;
}

void Reader::skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

bool Reader::take(char wanted) {
    skip_space();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
}

bool Reader::fail(const char* where, std::string_view reason) {
    error_ = "JSON at byte " + std::to_string(where - begin_) + ": ";
    error_ += reason;
    return false;
}

}  // namespace millrace::json
