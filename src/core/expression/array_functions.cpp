#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/expression/arguments.hpp"
#include "core/expression/distinct.hpp"
#include "core/expression/evaluator.hpp"
#include "core/expression/operators.hpp"
#include "core/expression/ordering.hpp"
#include "core/expression/text_search.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

std::optional<std::vector<Value>> items_of(Evaluation& run, std::string_view function,
                                           const Value& value) {
    const auto list = list_argument(run, function, value);
    if (!list || !run.spend(list->size())) return std::nullopt;
    std::vector<Value> items;
    items.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) items.push_back(list->at(i));
    return items;
}

std::optional<Value> len(Evaluation& run, Arguments arguments) {
    const Value& value = arguments[0];
    if (const auto* list = value.get_if<List>()) {
        return Value(static_cast<std::int64_t>(list->size()));
    }
    if (const auto* map = value.get_if<Map>()) return Value(static_cast<std::int64_t>(map->size()));
    if (const auto* text = value.get_if<std::string_view>()) {
        if (!run.spend_on(*text)) return std::nullopt;
        if (!run.touch(text->size(), bytes_per_unit::kCounted)) return std::nullopt;
        return Value(static_cast<std::int64_t>(utf8::length(*text)));
    }
    return fail_argument(run, "len", "a string, an array or a map", value);
}

// The element of an array, the key of a map, the part of a string.
std::optional<Value> contains(Evaluation& run, Arguments arguments) {
    if (arguments[0].get_if<std::string_view>() != nullptr) {
        return apply(run, BinaryOperator::contains, arguments[0], arguments[1]);
    }
    const auto found = is_in(run, arguments[1], arguments[0]);
    if (!found) return std::nullopt;
    return Value(*found);
}

// Nil instead of every failure.
std::optional<Value> get(Evaluation& run, Arguments arguments) {
    const Value& container = arguments[0];
    const Value& index = arguments[1];
    if (const auto* list = container.get_if<List>()) {
        const auto whole = index.whole();
        const auto size = static_cast<std::int64_t>(list->size());
        if (!whole || *whole < -size || *whole >= size) return Value();
        return list->at(static_cast<std::size_t>(*whole < 0 ? *whole + size : *whole));
    }
    if (container.get_if<Map>() == nullptr) return Value();
    const bool is_key = index.get_if<std::string_view>() != nullptr || index.number();
    return is_key ? element_of(run, container, index) : Value();
}

std::optional<Value> end_of(Evaluation& run, std::string_view function, const Value& value,
                            bool is_last) {
    if (value.is_nil()) return Value();
    const auto list = list_argument(run, function, value);
    if (!list) return std::nullopt;
    if (list->size() == 0) return Value();
    return list->at(is_last ? list->size() - 1 : 0);
}

std::optional<Value> first(Evaluation& run, Arguments arguments) {
    return end_of(run, "first", arguments[0], false);
}

std::optional<Value> last(Evaluation& run, Arguments arguments) {
    return end_of(run, "last", arguments[0], true);
}

std::optional<Value> take(Evaluation& run, Arguments arguments) {
    const auto list = list_argument(run, "take", arguments[0]);
    if (!list) return std::nullopt;
    const auto count = whole_argument(run, "take", arguments[1]);
    if (!count) return std::nullopt;
    if (*count < 0) return run.fail("cannot take a negative number of elements");
    const std::size_t size = std::min(static_cast<std::size_t>(*count), list->size());
    if (!run.spend(size)) return std::nullopt;
    std::vector<Value> items;
    items.reserve(size);
    for (std::size_t i = 0; i < size; ++i) items.push_back(list->at(i));
    return run.make_list(items);
}

std::optional<Value> reverse(Evaluation& run, Arguments arguments) {
    auto items = items_of(run, "reverse", arguments[0]);
    if (!items) return std::nullopt;
    std::ranges::reverse(*items);
    return run.make_list(*items);
}

std::optional<Value> uniq(Evaluation& run, Arguments arguments) {
    const auto items = items_of(run, "uniq", arguments[0]);
    if (!items) return std::nullopt;
    const auto unique = distinct(run, *items);
    if (!unique) return std::nullopt;
    return run.make_list(*unique);
}

std::optional<Value> concat(Evaluation& run, Arguments arguments) {
    std::vector<Value> all;
    for (const Value& argument : arguments) {
        const auto items = items_of(run, "concat", argument);
        if (!items) return std::nullopt;
        all.insert(all.end(), items->begin(), items->end());
    }
    return run.make_list(all);
}

bool append_flat(Evaluation& run, const List& list, std::vector<Value>& out) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!run.spend()) return false;
        const Value item = list.at(i);
        if (const auto* inner = item.get_if<List>()) {
            if (!append_flat(run, *inner, out)) return false;
        } else {
            out.push_back(item);
        }
    }
    return true;
}

std::optional<Value> flatten(Evaluation& run, Arguments arguments) {
    const auto list = list_argument(run, "flatten", arguments[0]);
    std::vector<Value> flat;
    if (!list || !append_flat(run, *list, flat)) return std::nullopt;
    return run.make_list(flat);
}

std::optional<Value> sort(Evaluation& run, Arguments arguments) {
    auto items = items_of(run, "sort", arguments[0]);
    if (!items) return std::nullopt;
    const auto descends = descends_by(run, arguments.size() > 1 ? &arguments[1] : nullptr);
    if (!descends) return std::nullopt;
    const auto order = sorted_places(run, *items, *descends);
    if (!order) return std::nullopt;
    std::vector<Value> sorted;
    sorted.reserve(items->size());
    for (const std::size_t place : *order) sorted.push_back((*items)[place]);
    return run.make_list(sorted);
}

constexpr std::array<Function, 11> kArrayFunctions{{
    {"len", 1, 1, len},
    {"contains", 2, 2, contains},
    {"get", 2, 2, get},
    {"first", 1, 1, first},
    {"last", 1, 1, last},
    {"take", 2, 2, take},
    {"reverse", 1, 1, reverse},
    {"uniq", 1, 1, uniq},
    {"concat", 1, kAnyNumber, concat},
    {"flatten", 1, 1, flatten},
    {"sort", 1, 2, sort},
}};

}  // namespace

std::span<const Function> array_functions() {
    return kArrayFunctions;
}

}  // namespace millrace::expression
