#include <algorithm>
#include <string>
#include <vector>

#include "core/expression/evaluator.hpp"
#include "core/expression/format.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::expression {
namespace {

std::nullopt_t fail_field(Evaluation& run, std::string_view name, const Value& value) {
    return run.fail("cannot read \"" + std::string(name) + "\" of " + std::string(value.type()));
}

// The place that an index from the start or, negative, from the end means; may lie outside.
std::int64_t place_of(std::int64_t index, std::size_t size) {
    return index < 0 ? index + static_cast<std::int64_t>(size) : index;
}

std::optional<std::size_t> place_inside(Evaluation& run, const Value& index, std::size_t size) {
    const auto whole = index.whole();
    if (!whole)
        return run.fail("an index is " + std::string(index.type()) + ", not a whole number");
    const std::int64_t place = place_of(*whole, size);
    if (place < 0 || place >= static_cast<std::int64_t>(size)) {
        return run.fail("the index " + std::to_string(*whole) + " is outside of the " +
                        std::to_string(size) + " elements");
    }
    return static_cast<std::size_t>(place);
}

std::optional<Value> character_of(Evaluation& run, std::string_view text, const Value& index) {
    if (!run.spend_on(text) || !run.touch(text.size(), bytes_per_unit::kCounted)) {
        return std::nullopt;
    }
    const auto place = place_inside(run, index, utf8::length(text));
    if (!place) return std::nullopt;
    const std::size_t offset = utf8::offset_of(text, *place);
    return Value(text.substr(offset, utf8::size_at(text, offset)));
}

// Evaluates one bound of a slice into the range 0..size.
std::optional<std::size_t> bound_of(Evaluation& run, const Node* node, std::size_t size,
                                    std::size_t absent) {
    if (node == nullptr) return absent;
    const auto value = evaluate(run, *node);
    if (!value) return std::nullopt;
    const auto whole = value->whole();
    if (!whole) {
        return run.fail("a bound is " + std::string(value->type()) + ", not a whole number");
    }
    const auto last = static_cast<std::int64_t>(size);
    return static_cast<std::size_t>(std::clamp<std::int64_t>(place_of(*whole, size), 0, last));
}

std::optional<Value> sublist(Evaluation& run, const List& list, std::size_t from, std::size_t to) {
    if (!run.spend(to - from)) return std::nullopt;
    std::vector<Value> items;
    items.reserve(to - from);
    for (std::size_t i = from; i < to; ++i) items.push_back(list.at(i));
    return run.make_list(items);
}

std::optional<Value> slice(Evaluation& run, const Value& container, const SliceStep& step) {
    const auto* list = container.get_if<List>();
    const auto* text = container.get_if<std::string_view>();
    if (list == nullptr && text == nullptr) {
        return run.fail("cannot cut a piece out of " + std::string(container.type()));
    }
    if (text != nullptr && !run.spend_on(*text)) return std::nullopt;
    if (text != nullptr && !run.touch(text->size(), bytes_per_unit::kCounted)) return std::nullopt;
    const std::size_t size = list != nullptr ? list->size() : utf8::length(*text);
    const auto to = bound_of(run, step.to.get(), size, size);
    if (!to) return std::nullopt;
    const auto wanted = bound_of(run, step.from.get(), size, 0);
    if (!wanted) return std::nullopt;
    const std::size_t from = std::min(*wanted, *to);
    if (list != nullptr) return sublist(run, *list, from, *to);
    const std::size_t begin = utf8::offset_of(*text, from);
    return Value(text->substr(begin, utf8::offset_of(*text, *to) - begin));
}

// Applies one step of a path to what the steps before it led to.
class Walker {
public:
    Walker(Evaluation& run, const Value& value) : run_(run), value_(value) {}

    std::optional<Value> operator()(const FieldStep& step) {
        const auto* map = value_.get_if<Map>();
        if (map == nullptr) return fail_field(run_, step.name, value_);
        const auto found = run_.find_member(*map, step.name);
        if (!found) return std::nullopt;
        return found->value_or(Value());
    }

    std::optional<Value> operator()(const IndexStep& step) {
        const auto index = evaluate(run_, *step.index);
        if (!index) return std::nullopt;
        return element_of(run_, value_, *index);
    }

    std::optional<Value> operator()(const SliceStep& step) { return slice(run_, value_, step); }

    std::optional<Value> operator()(const MethodStep& step) {
        std::vector<Value> arguments{value_};
        for (const NodePtr& node : step.arguments) {
            const auto argument = evaluate(run_, *node);
            if (!argument) return std::nullopt;
            arguments.push_back(*argument);
        }
        return step.method->call(run_, arguments);
    }

private:
    Evaluation& run_;
    const Value& value_;
};

// Whether a value has what a step asks for.
std::optional<bool> has_step(Evaluation& run, const Value& value, const PathStep& step) {
    const auto* map = value.get_if<Map>();
    const auto* list = value.get_if<List>();
    const auto has_member = [&](std::string_view name) -> std::optional<bool> {
        const auto found = run.find_member(*map, name);
        if (!found) return std::nullopt;
        return found->has_value();
    };
    if (const auto* field = std::get_if<FieldStep>(&step.step)) {
        return map != nullptr ? has_member(field->name) : false;
    }
    const auto* index = std::get_if<IndexStep>(&step.step);
    if (index == nullptr || (map == nullptr && list == nullptr)) return false;
    const auto wanted = evaluate(run, *index->index);
    if (!wanted) return std::nullopt;
    if (map != nullptr) {
        const auto key = key_of(run, *wanted);
        return key ? has_member(*key) : false;
    }
    const auto whole = wanted->whole();
    const auto size = static_cast<std::int64_t>(list->size());
    return whole && *whole >= -size && *whole < size;
}

}  // namespace

std::optional<Value> evaluate_path(Evaluation& run, const Path& path) {
    std::optional<Value> value = evaluate(run, *path.base);
    for (const PathStep& step : path.steps) {
        if (!value) return std::nullopt;
        if (step.is_optional && value->is_nil()) return value;
        if (!run.spend()) return std::nullopt;
        value = std::visit(Walker(run, *value), step.step);
    }
    return value;
}

std::optional<bool> is_defined(Evaluation& run, const Node& node) {
    if (const auto* variable = std::get_if<Variable>(&node.data)) {
        const auto found = run.find_variable(variable->name);
        if (!found) return std::nullopt;
        return found->has_value();
    }
    const auto& path = std::get<Path>(node.data);
    const auto base_is_defined = is_defined(run, *path.base);
    if (!base_is_defined || !*base_is_defined) return base_is_defined;
    std::optional<Value> value = evaluate(run, *path.base);
    for (const PathStep& step : path.steps) {
        if (!value) return std::nullopt;
        const auto has = has_step(run, *value, step);
        if (!has || !*has) return has;
        value = std::visit(Walker(run, *value), step.step);
    }
    return value.has_value();
}

std::optional<Value> element_of(Evaluation& run, const Value& container, const Value& index) {
    if (const auto* list = container.get_if<List>()) {
        const auto place = place_inside(run, index, list->size());
        if (!place) return std::nullopt;
        return list->at(*place);
    }
    if (const auto* map = container.get_if<Map>()) {
        const auto key = key_of(run, index);
        if (!key) return std::nullopt;
        const auto found = run.find_member(*map, *key);
        if (!found) return std::nullopt;
        return found->value_or(Value());
    }
    if (const auto* text = container.get_if<std::string_view>()) {
        return character_of(run, *text, index);
    }
    return run.fail("cannot read an element of " + std::string(container.type()));
}

std::optional<std::string_view> key_of(Evaluation& run, const Value& value) {
    if (const auto* text = value.get_if<std::string_view>()) return *text;
    if (!value.number() && value.get_if<bool>() == nullptr) {
        return run.fail("the key of a map is " + std::string(value.type()) + ", not string");
    }
    const auto whole = value.whole();
    const auto text = run.make_text(whole ? std::to_string(*whole) : format(value));
    if (!text) return std::nullopt;
    return *text->get_if<std::string_view>();
}

}  // namespace millrace::expression
