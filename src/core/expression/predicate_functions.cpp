#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/expression/arguments.hpp"
#include "core/expression/evaluator.hpp"
#include "core/expression/operators.hpp"
#include "core/expression/ordering.hpp"

namespace millrace::expression {
namespace {

// The elements of an array one by one, each with what the predicate gives for it. Puts its scope in
// place of the one around it, and that back at the end.
class Loop {
public:
    Loop(Evaluation& run, const PredicateArguments& arguments)
        : run_(run), arguments_(arguments), outer_(run.scope_or_null()) {
        run_.set_scope(&scope_);
    }
    ~Loop() { run_.set_scope(outer_); }
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    std::size_t size() const { return arguments_.list.size(); }
    void set_accumulator(const Value& value) { scope_.accumulator = value; }

    // Without a predicate the element itself.
    std::optional<Value> at(std::size_t index) {
        if (!run_.spend()) return std::nullopt;
        scope_.element = arguments_.list.at(index);
        scope_.index = static_cast<std::int64_t>(index);
        return arguments_.body != nullptr ? evaluate(run_, *arguments_.body) : scope_.element;
    }

    std::optional<bool> holds_at(std::size_t index) {
        const auto value = at(index);
        if (!value) return std::nullopt;
        const auto* holds = value->get_if<bool>();
        if (holds == nullptr) {
            return run_.fail("a predicate is " + std::string(value->type()) + ", not bool");
        }
        return *holds;
    }

    const Value& element() const { return scope_.element; }

private:
    Evaluation& run_;
    const PredicateArguments& arguments_;
    const Scope* outer_;
    Scope scope_{};
};

// How many elements the predicate holds for; stops where it finds more than `enough`.
std::optional<std::int64_t> count_holding(Evaluation& run, const PredicateArguments& arguments,
                                          std::int64_t enough) {
    Loop loop(run, arguments);
    std::int64_t found = 0;
    for (std::size_t i = 0; i < loop.size() && found <= enough; ++i) {
        const auto holds = loop.holds_at(i);
        if (!holds) return std::nullopt;
        if (*holds) ++found;
    }
    return found;
}

std::optional<Value> all(Evaluation& run, const PredicateArguments& arguments) {
    Loop loop(run, arguments);
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const auto holds = loop.holds_at(i);
        if (!holds) return std::nullopt;
        if (!*holds) return Value(false);
    }
    return Value(true);
}

std::optional<Value> any(Evaluation& run, const PredicateArguments& arguments) {
    const auto found = count_holding(run, arguments, 0);
    return found ? std::optional<Value>(*found > 0) : std::nullopt;
}

std::optional<Value> none(Evaluation& run, const PredicateArguments& arguments) {
    const auto found = count_holding(run, arguments, 0);
    return found ? std::optional<Value>(*found == 0) : std::nullopt;
}

std::optional<Value> one(Evaluation& run, const PredicateArguments& arguments) {
    const auto found = count_holding(run, arguments, 1);
    return found ? std::optional<Value>(*found == 1) : std::nullopt;
}

std::optional<Value> count(Evaluation& run, const PredicateArguments& arguments) {
    const auto size = static_cast<std::int64_t>(arguments.list.size());
    const auto found = count_holding(run, arguments, size);
    return found ? std::optional<Value>(*found) : std::nullopt;
}

std::optional<Value> filter(Evaluation& run, const PredicateArguments& arguments) {
    Loop loop(run, arguments);
    std::vector<Value> kept;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const auto holds = loop.holds_at(i);
        if (!holds) return std::nullopt;
        if (*holds) kept.push_back(loop.element());
    }
    return run.make_list(kept);
}

std::optional<std::vector<Value>> mapped(Evaluation& run, const PredicateArguments& arguments) {
    Loop loop(run, arguments);
    std::vector<Value> items;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const auto item = loop.at(i);
        if (!item) return std::nullopt;
        items.push_back(*item);
    }
    return items;
}

std::optional<Value> map(Evaluation& run, const PredicateArguments& arguments) {
    const auto items = mapped(run, arguments);
    if (!items) return std::nullopt;
    return run.make_list(*items);
}

// The place of the first or last element that the predicate holds for, or -1.
std::optional<std::int64_t> place_holding(Evaluation& run, const PredicateArguments& arguments,
                                          bool from_end) {
    Loop loop(run, arguments);
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::size_t place = from_end ? loop.size() - 1 - i : i;
        const auto holds = loop.holds_at(place);
        if (!holds) return std::nullopt;
        if (*holds) return static_cast<std::int64_t>(place);
    }
    return -1;
}

template <bool FromEnd>
std::optional<Value> find(Evaluation& run, const PredicateArguments& arguments) {
    const auto place = place_holding(run, arguments, FromEnd);
    if (!place) return std::nullopt;
    return *place < 0 ? Value() : arguments.list.at(static_cast<std::size_t>(*place));
}

template <bool FromEnd>
std::optional<Value> find_index(Evaluation& run, const PredicateArguments& arguments) {
    const auto place = place_holding(run, arguments, FromEnd);
    if (!place) return std::nullopt;
    return *place < 0 ? Value() : Value(*place);
}

std::optional<Value> sum(Evaluation& run, const PredicateArguments& arguments) {
    Loop loop(run, arguments);
    std::optional<Value> total;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const auto item = loop.at(i);
        if (!item) return std::nullopt;
        if (!item->number() && item->get_if<Span>() == nullptr) {
            return fail_argument(run, "sum", "numbers", *item);
        }
        total = total ? add(run, *total, *item) : item;
        if (!total) return std::nullopt;
    }
    return total.value_or(Value(std::int64_t{0}));
}

std::optional<Value> reduce(Evaluation& run, const PredicateArguments& arguments) {
    Loop loop(run, arguments);
    if (loop.size() == 0 && !arguments.extra) {
        return run.fail("reduce of an empty array needs an initial value");
    }
    Value accumulator = arguments.extra ? *arguments.extra : arguments.list.at(0);
    for (std::size_t i = arguments.extra ? 0 : 1; i < loop.size(); ++i) {
        loop.set_accumulator(accumulator);
        const auto next = loop.at(i);
        if (!next) return std::nullopt;
        accumulator = *next;
    }
    return accumulator;
}

// Keys become text, as keys of maps are.
std::optional<Value> group_by(Evaluation& run, const PredicateArguments& arguments) {
    const auto keys = mapped(run, arguments);
    if (!keys) return std::nullopt;
    // Ordered, not hashed: whoever chooses the keys cannot make it slow.
    std::map<std::string_view, std::size_t> places;
    std::vector<std::string_view> names;
    std::vector<std::vector<Value>> groups;
    for (std::size_t i = 0; i < keys->size(); ++i) {
        const auto name = key_of(run, (*keys)[i]);
        if (!name) return std::nullopt;
        const auto [place, is_new] = places.try_emplace(*name, groups.size());
        if (is_new) {
            names.push_back(*name);
            groups.emplace_back();
        }
        groups[place->second].push_back(arguments.list.at(i));
    }
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto group = run.make_list(groups[i]);
        if (!group) return std::nullopt;
        entries.push_back({names[i], *group});
    }
    return run.make_map(entries);
}

std::optional<Value> sort_by(Evaluation& run, const PredicateArguments& arguments) {
    const auto descends = descends_by(run, arguments.extra ? &*arguments.extra : nullptr);
    if (!descends) return std::nullopt;
    const auto keys = mapped(run, arguments);
    if (!keys) return std::nullopt;
    const auto places = sorted_places(run, *keys, *descends);
    if (!places) return std::nullopt;
    std::vector<Value> sorted;
    sorted.reserve(places->size());
    for (const std::size_t place : *places) sorted.push_back(arguments.list.at(place));
    return run.make_list(sorted);
}

constexpr std::array<PredicateFunction, 15> kPredicateFunctions{{
    {"all", true, false, all},
    {"none", true, false, none},
    {"any", true, false, any},
    {"one", true, false, one},
    {"filter", true, false, filter},
    {"map", true, false, map},
    {"count", false, false, count},
    {"sum", false, false, sum},
    {"find", true, false, find<false>},
    {"findIndex", true, false, find_index<false>},
    {"findLast", true, false, find<true>},
    {"findLastIndex", true, false, find_index<true>},
    {"groupBy", true, false, group_by},
    {"sortBy", true, true, sort_by},
    {"reduce", true, true, reduce},
}};

}  // namespace

std::span<const PredicateFunction> predicate_functions() {
    return kPredicateFunctions;
}

const PredicateFunction* find_predicate_function(std::string_view name) {
    const auto row = std::ranges::find(kPredicateFunctions, name, &PredicateFunction::name);
    return row != kPredicateFunctions.end() ? &*row : nullptr;
}

}  // namespace millrace::expression
