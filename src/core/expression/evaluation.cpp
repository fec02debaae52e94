#include "core/expression/evaluation.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/json/parse.hpp"
#include "core/limits.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kTextBytesPerStep = 256;
constexpr std::size_t kMembersPerStep = 32;
constexpr std::size_t kLooksPerUnit = 4;

// Last value of each key at the key's first place.
std::vector<Entry> without_doubles(std::span<const Entry> entries) {
    std::vector<Entry> unique;
    // Ordered, not hashed: whoever chooses the keys cannot make it slow.
    std::map<std::string_view, std::size_t> places;
    for (const Entry& entry : entries) {
        const auto [place, is_new] = places.try_emplace(entry.key, unique.size());
        if (is_new) {
            unique.push_back(entry);
        } else {
            unique[place->second].value = entry.value;
        }
    }
    return unique;
}

}  // namespace

std::nullopt_t Evaluation::fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    return std::nullopt;
}

bool Evaluation::spend(std::size_t steps) {
    steps_ += steps;
    if (!meter_.spend(steps)) return (void)fail_for_work(), false;
    if (steps_ <= limits::kExpressionStepsMax) return true;
    (void)fail("it takes more than " + std::to_string(limits::kExpressionStepsMax) + " steps");
    return false;
}

bool Evaluation::spend_on(std::string_view text) {
    return spend(1 + text.size() / kTextBytesPerStep) &&
           touch(text.size(), bytes_per_unit::kCopied);
}

bool Evaluation::touch(std::size_t bytes, std::size_t bytes_per_unit) {
    if (meter_.spend(bytes / bytes_per_unit)) return true;
    (void)fail_for_work();
    return false;
}

std::nullopt_t Evaluation::fail_for_work() {
    return fail("it takes more work than one command may, engine.commandWork (WorkLimitReached)");
}

Evaluation::Found Evaluation::find_variable(std::string_view name) {
    std::size_t looks = 0;
    const std::optional<std::size_t> place = variables_.place_of(name, looks);
    if (!touch(looks, kLooksPerUnit)) return std::nullopt;
    if (!place) return Found(std::in_place);
    return Found(Value::of(variables_.members()[*place].value));
}

// All variables are a map too, and have an index.
Evaluation::Found Evaluation::find_member(const Map& map, std::string_view name) {
    if (map.is_view_of(variables_.members())) return find_variable(name);
    if (!spend(map.size() / kMembersPerStep)) return std::nullopt;
    if (!touch(map.size(), kLooksPerUnit)) return std::nullopt;
    return map.find(name);
}

bool Evaluation::count_bytes(std::size_t size) {
    if (size > limits::kExpressionBytesResultMax - bytes_) {
        (void)fail("it makes more than " + std::to_string(limits::kExpressionBytesResultMax) +
                   " bytes of values");
        return false;
    }
    bytes_ += size;
    return touch(size, bytes_per_unit::kCopied);
}

void* Evaluation::allocate(std::size_t size, std::size_t alignment) {
    if (!count_bytes(size)) return nullptr;
    return memory_.allocate(std::max<std::size_t>(size, 1), alignment);
}

char* Evaluation::allocate_text(std::size_t size) {
    return static_cast<char*>(allocate(size, 1));
}

std::optional<Value> Evaluation::make_text(std::string_view text) {
    char* const copy = allocate_text(text.size());
    if (copy == nullptr) return std::nullopt;
    std::ranges::copy(text, copy);
    return Value(std::string_view(copy, text.size()));
}

bool Evaluation::is_too_deep(std::uint32_t depth) {
    if (depth <= limits::kExpressionDepthMax) return false;
    (void)fail("it nests values deeper than " + std::to_string(limits::kExpressionDepthMax));
    return true;
}

std::optional<Value> Evaluation::make_list(std::span<const Value> items) {
    std::uint32_t depth = 1;
    for (const Value& item : items) depth = std::max(depth, depth_around(item));
    if (is_too_deep(depth)) return std::nullopt;
    void* const memory = allocate(items.size_bytes(), alignof(Value));
    if (memory == nullptr) return std::nullopt;
    auto* const copy = static_cast<Value*>(memory);
    std::uninitialized_copy(items.begin(), items.end(), copy);
    return Value(List(copy, items.size(), depth));
}

std::optional<Value> Evaluation::make_map(std::span<const Entry> entries) {
    if (!spend(entries.size())) return std::nullopt;
    const std::vector<Entry> unique = without_doubles(entries);
    std::uint32_t depth = 1;
    for (const Entry& entry : unique) depth = std::max(depth, depth_around(entry.value));
    if (is_too_deep(depth)) return std::nullopt;
    void* const memory = allocate(unique.size() * sizeof(Entry), alignof(Entry));
    if (memory == nullptr) return std::nullopt;
    auto* const copy = static_cast<Entry*>(memory);
    std::uninitialized_copy(unique.begin(), unique.end(), copy);
    return Value(Map(copy, unique.size(), depth));
}

std::optional<Value> Evaluation::parse_json(std::string_view text) {
    if (!count_bytes(text.size()) || !touch(text.size(), bytes_per_unit::kParsed)) {
        return std::nullopt;
    }
    Result<json::Value> document = json::parse(text);
    if (!document) return fail("fromJSON: " + document.error().detail);
    documents_.push_back(std::move(*document));
    return Value::of(documents_.back());
}

}  // namespace millrace::expression
