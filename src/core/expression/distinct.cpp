#include "core/expression/distinct.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/expression/operators.hpp"

namespace millrace::expression {
namespace {

constexpr std::size_t kUnitsOfSorting = 3;

// Bijective, and each bit of the result depends on all of the input.
std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 31U)) * 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 29U)) * 0xBF58476D1CE4E5B9U;
    return bits ^ (bits >> 32U);
}

std::uint64_t combine(std::uint64_t left, std::uint64_t right) {
    return mix(left + 0x9E3779B97F4A7C15U + right);
}

std::uint64_t digest_of(std::string_view text) {
    std::uint64_t digest = text.size();
    for (const char byte : text) {
        digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    }
    return mix(digest);
}

// Gives values that are equal the same number. An integer and a floating point number are equal
// when they are so as floating point numbers, of which many integers beyond 2^53 share one. Hence
// such integers are told apart only while no floating point number of that size is among the
// values.
class Digest {
public:
    explicit Digest(Evaluation& run) : run_(run) {}

    bool has_large_numbers(const Value& value) {
        constexpr double kExactMax = 0x1p53;
        if (const auto* number = value.get_if<double>()) return std::abs(*number) >= kExactMax;
        if (const auto* list = value.get_if<List>()) {
            for (std::size_t i = 0; i < list->size() && run_.spend(); ++i) {
                if (has_large_numbers(list->at(i))) return true;
            }
        }
        if (const auto* map = value.get_if<Map>()) {
            for (std::size_t i = 0; i < map->size() && run_.spend(); ++i) {
                if (has_large_numbers(map->value(i))) return true;
            }
        }
        return false;
    }

    void round_integers() { rounds_integers_ = true; }

    // Nothing when the evaluation has had its share.
    std::optional<std::uint64_t> of(const Value& value) {
        if (!run_.spend()) return std::nullopt;
        if (const auto number = digest_of_number(value)) return number;
        if (const auto* text = value.get_if<std::string_view>()) {
            if (!run_.spend_on(*text)) return std::nullopt;
            return digest_of(*text);
        }
        if (const auto* list = value.get_if<List>()) return of_list(*list);
        if (const auto* map = value.get_if<Map>()) return of_map(*map);
        return mix(digest_of(value.type()) + small_part(value));
    }

private:
    std::optional<std::uint64_t> digest_of_number(const Value& value) const {
        const auto whole = value.whole();
        if (whole && !rounds_integers_) return mix(static_cast<std::uint64_t>(*whole));
        const auto number = value.number();
        if (!number) return std::nullopt;
        return mix(std::bit_cast<std::uint64_t>(*number + 0.0));  // -0 is 0.
    }

    std::optional<std::uint64_t> of_list(const List& list) {
        std::uint64_t digest = mix(list.size() + 1);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto item = of(list.at(i));
            if (!item) return std::nullopt;
            digest = combine(digest, *item);
        }
        return digest;
    }

    // The order of members makes no difference.
    std::optional<std::uint64_t> of_map(const Map& map) {
        std::uint64_t sum = map.size();
        for (std::size_t i = 0; i < map.size(); ++i) {
            if (!run_.spend_on(map.key(i))) return std::nullopt;
            const auto item = of(map.value(i));
            if (!item) return std::nullopt;
            sum += combine(digest_of(map.key(i)), *item);
        }
        return mix(sum);
    }

    static std::uint64_t small_part(const Value& value) {
        if (const auto* boolean = value.get_if<bool>()) return *boolean ? 1 : 0;
        if (const auto* time = value.get_if<Time>()) {
            return static_cast<std::uint64_t>(time->at.time_since_epoch().count());
        }
        if (const auto* span = value.get_if<Span>()) {
            return static_cast<std::uint64_t>(span->count());
        }
        return 0;
    }

    Evaluation& run_;
    bool rounds_integers_ = false;
};

using Places = std::vector<std::pair<std::uint64_t, std::size_t>>;

// Whether nothing before an item is equal to it. `places` are sorted: equal items lie together, the
// first one first, and so may items that are not equal.
std::optional<std::vector<bool>> first_of_each(Evaluation& run, const std::vector<Value>& items,
                                               const Places& places) {
    std::vector<bool> is_first(items.size(), false);
    std::vector<std::size_t> alike;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto [digest, place] = places[i];
        if (i == 0 || places[i - 1].first != digest) alike.clear();
        bool is_known = false;
        for (std::size_t k = 0; k < alike.size() && !is_known; ++k) {
            const auto same = equal(run, items[alike[k]], items[place]);
            if (!same) return std::nullopt;
            is_known = *same;
        }
        if (is_known) continue;
        alike.push_back(place);
        is_first[place] = true;
    }
    return is_first;
}

}  // namespace

std::optional<std::vector<Value>> distinct(Evaluation& run, const std::vector<Value>& items) {
    Digest digest(run);
    for (const Value& item : items) {
        if (digest.has_large_numbers(item)) {
            digest.round_integers();
            break;
        }
    }
    // Sorted, not hashed: whoever chooses the values cannot make it slow.
    Places places;
    places.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto key = digest.of(items[i]);
        if (!key || !run.touch(kUnitsOfSorting, 1)) return std::nullopt;
        places.emplace_back(*key, i);
    }
    std::ranges::sort(places);
    const auto is_first = first_of_each(run, items, places);
    if (!is_first) return std::nullopt;
    std::vector<Value> unique;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if ((*is_first)[i]) unique.push_back(items[i]);
    }
    return unique;
}

}  // namespace millrace::expression
