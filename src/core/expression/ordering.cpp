#include "core/expression/ordering.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/expression/operators.hpp"

namespace millrace::expression {

std::optional<bool> descends_by(Evaluation& run, const Value* order) {
    if (order == nullptr) return false;
    const auto* text = order->get_if<std::string_view>();
    if (text != nullptr && *text == "asc") return false;
    if (text != nullptr && *text == "desc") return true;
    return run.fail("the order of sorting is \"asc\" or \"desc\"");
}

std::optional<std::vector<std::size_t>> sorted_places(Evaluation& run,
                                                      const std::vector<Value>& keys,
                                                      bool descends) {
    // What compares with the first compares with each other: later failures are bounds only.
    for (const Value& key : keys) {
        if (!compare(run, keys.front(), key)) return std::nullopt;
    }
    if (!run.spend(keys.size() * std::bit_width(keys.size()))) return std::nullopt;
    std::vector<std::size_t> places(keys.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, [&](std::size_t left, std::size_t right) {
        const auto order = compare(run, keys[left], keys[right]).value_or(0);
        return descends ? order > 0 : order < 0;
    });
    if (!run.reason().empty()) return std::nullopt;
    return places;
}

}  // namespace millrace::expression
