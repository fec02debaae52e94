#include <array>
#include <vector>

#include "core/expression/arguments.hpp"
#include "core/expression/evaluator.hpp"

namespace millrace::expression {
namespace {

// Makes an array with what `part` gives for each member's place.
template <class Part>
std::optional<Value> list_of(Evaluation& run, const Map& map, Part part) {
    if (!run.spend(map.size())) return std::nullopt;
    std::vector<Value> items;
    items.reserve(map.size());
    for (std::size_t i = 0; i < map.size(); ++i) {
        const std::optional<Value> item = part(i);
        if (!item) return std::nullopt;
        items.push_back(*item);
    }
    return run.make_list(items);
}

std::optional<Value> keys(Evaluation& run, Arguments arguments) {
    const auto map = map_argument(run, "keys", arguments[0]);
    if (!map) return std::nullopt;
    return list_of(run, *map, [&](std::size_t i) { return Value(map->key(i)); });
}

std::optional<Value> values(Evaluation& run, Arguments arguments) {
    const auto map = map_argument(run, "values", arguments[0]);
    if (!map) return std::nullopt;
    return list_of(run, *map, [&](std::size_t i) { return map->value(i); });
}

std::optional<Value> to_pairs(Evaluation& run, Arguments arguments) {
    const auto map = map_argument(run, "toPairs", arguments[0]);
    if (!map) return std::nullopt;
    return list_of(run, *map, [&](std::size_t i) {
        const std::array<Value, 2> pair{Value(map->key(i)), map->value(i)};
        return run.make_list(pair);
    });
}

std::optional<Value> from_pairs(Evaluation& run, Arguments arguments) {
    const auto list = list_argument(run, "fromPairs", arguments[0]);
    if (!list || !run.spend(list->size())) return std::nullopt;
    std::vector<Entry> entries;
    entries.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) {
        const Value item = list->at(i);
        const auto* pair = item.get_if<List>();
        if (pair == nullptr || pair->size() != 2) {
            return run.fail("fromPairs needs an array of pairs of key and value");
        }
        const auto key = key_of(run, pair->at(0));
        if (!key) return std::nullopt;
        entries.push_back({*key, pair->at(1)});
    }
    return run.make_map(entries);
}

constexpr std::array<Function, 4> kMapFunctions{{
    {"keys", 1, 1, keys},
    {"values", 1, 1, values},
    {"toPairs", 1, 1, to_pairs},
    {"fromPairs", 1, 1, from_pairs},
}};

}  // namespace

std::span<const Function> map_functions() {
    return kMapFunctions;
}

}  // namespace millrace::expression
