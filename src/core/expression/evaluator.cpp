#include "core/expression/evaluator.hpp"

#include <array>
#include <string>
#include <vector>

namespace millrace::expression {
namespace {

constexpr std::size_t kFewArguments = 3;

// One function per kind of node.
class Evaluator {
public:
    explicit Evaluator(Evaluation& run) : run_(run) {}

    std::optional<Value> operator()(const Constant& node) { return node.value; }

    std::optional<Value> operator()(const Text& node) { return Value(std::string_view(node.text)); }

    std::optional<Value> operator()(const Variable& node) {
        const auto found = run_.find_variable(node.name);
        if (!found) return std::nullopt;
        if (!*found) return run_.fail("undefined variable \"" + node.name + "\"");
        return **found;
    }

    std::optional<Value> operator()(const Environment&) { return Value::of(run_.variables()); }

    std::optional<Value> operator()(ScopeMember member) {
        switch (member) {
            case ScopeMember::element: return run_.scope().element;
            case ScopeMember::index: return Value(run_.scope().index);
            case ScopeMember::accumulator: return run_.scope().accumulator;
        }
        return std::nullopt;
    }

    std::optional<Value> operator()(const Unary& node) {
        const auto operand = evaluate(run_, *node.operand);
        if (!operand) return std::nullopt;
        return apply(run_, node.op, *operand);
    }

    // The last operand is the result as it is, if it is reached.
    std::optional<Value> operator()(const Logic& node) {
        for (std::size_t i = 0; i + 1 < node.operands.size(); ++i) {
            const auto value = evaluate(run_, *node.operands[i]);
            if (!value) return std::nullopt;
            const auto* decision = value->get_if<bool>();
            if (decision == nullptr) {
                return run_.fail("cannot apply " + std::string(node.stops_at ? "||" : "&&") +
                                 " to " + std::string(value->type()));
            }
            if (*decision == node.stops_at) return value;
        }
        return evaluate(run_, *node.operands.back());
    }

    std::optional<Value> operator()(const Fold& node) {
        std::optional<Value> result = evaluate(run_, *node.first);
        std::optional<Value> last_operand = result;
        bool last_was_ordering = false;
        for (const Link& link : node.links) {
            if (!result) return std::nullopt;
            const bool is_chained = last_was_ordering && is_ordering(link.op);
            last_was_ordering = is_ordering(link.op);
            if (is_chained && !*result->get_if<bool>()) continue;
            if (const Fold* range = range_of(link)) {
                result = find_in_range(link, *result, *range);
                continue;
            }
            const auto operand = evaluate(run_, *link.operand);
            if (!operand) return std::nullopt;
            result = apply_link(link, is_chained ? *last_operand : *result, *operand);
            last_operand = operand;
        }
        return result;
    }

    std::optional<Value> operator()(const Coalesce& node) {
        for (std::size_t i = 0; i + 1 < node.operands.size(); ++i) {
            const Node& operand = *node.operands[i];
            const Variable* root = root_variable(operand);
            if (root != nullptr) {
                const auto found = run_.find_variable(root->name);
                if (!found) return std::nullopt;
                if (!*found) continue;
            }
            const auto value = evaluate(run_, operand);
            if (!value || !value->is_nil()) return value;
        }
        return evaluate(run_, *node.operands.back());
    }

    std::optional<Value> operator()(const Conditional& node) {
        const auto condition = evaluate(run_, *node.condition);
        if (!condition) return std::nullopt;
        const auto* decision = condition->get_if<bool>();
        if (decision == nullptr) {
            return run_.fail("a condition is " + std::string(condition->type()) + ", not bool");
        }
        if (!*decision) return evaluate(run_, *node.otherwise);
        return node.then != nullptr ? evaluate(run_, *node.then) : condition;
    }

    std::optional<Value> operator()(const Sequence& node) {
        std::optional<Value> result;
        for (const NodePtr& item : node.items) {
            result = evaluate(run_, *item);
            if (!result) return std::nullopt;
        }
        return result;
    }

    std::optional<Value> operator()(const ListLiteral& node) {
        std::vector<Value> items;
        items.reserve(node.items.size());
        for (const NodePtr& item : node.items) {
            const auto value = evaluate(run_, *item);
            if (!value) return std::nullopt;
            items.push_back(*value);
        }
        return run_.make_list(items);
    }

    std::optional<Value> operator()(const MapLiteral& node) {
        std::vector<Entry> entries;
        entries.reserve(node.pairs.size());
        for (const auto& [key_node, value_node] : node.pairs) {
            const auto key_value = evaluate(run_, *key_node);
            if (!key_value) return std::nullopt;
            const auto key = key_of(run_, *key_value);
            if (!key) return std::nullopt;
            const auto value = evaluate(run_, *value_node);
            if (!value) return std::nullopt;
            entries.push_back({*key, *value});
        }
        return run_.make_map(entries);
    }

    std::optional<Value> operator()(const Path& node) { return evaluate_path(run_, node); }

    std::optional<Value> operator()(const Call& node) {
        const std::size_t count = node.arguments.size();
        std::array<Value, kFewArguments> few;
        std::vector<Value> many(count > kFewArguments ? count : 0);
        Value* const values = count > kFewArguments ? many.data() : few.data();
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = evaluate(run_, *node.arguments[i]);
            if (!value) return std::nullopt;
            values[i] = *value;
        }
        return node.function->call(run_, Arguments(values, count));
    }

    std::optional<Value> operator()(const PredicateCall& node) {
        const auto value = evaluate(run_, *node.list);
        if (!value) return std::nullopt;
        const auto* list = value->get_if<List>();
        if (list == nullptr) {
            return run_.fail(std::string(node.function->name) + " needs an array, not " +
                             std::string(value->type()));
        }
        PredicateArguments arguments{.list = *list, .body = node.body.get()};
        if (node.extra != nullptr) {
            arguments.extra = evaluate(run_, *node.extra);
            if (!arguments.extra) return std::nullopt;
        }
        return node.function->call(run_, arguments);
    }

    std::optional<Value> operator()(const Defined& node) {
        const auto defined = is_defined(run_, *node.path);
        if (!defined) return std::nullopt;
        return Value(*defined);
    }

private:
    // The range of `x in a..b`; null for everything else.
    static const Fold* range_of(const Link& link) {
        if (link.op != BinaryOperator::in) return nullptr;
        const auto* fold = std::get_if<Fold>(&link.operand->data);
        const bool is_range = fold != nullptr && fold->links.size() == 1 &&
                              fold->links.front().op == BinaryOperator::range;
        return is_range ? fold : nullptr;
    }

    std::optional<Value> find_in_range(const Link& link, const Value& element, const Fold& range) {
        const auto from = evaluate(run_, *range.first);
        if (!from) return std::nullopt;
        const auto to = evaluate(run_, *range.links.front().operand);
        if (!to) return std::nullopt;
        const auto found = is_in_range(run_, element, *from, *to);
        if (!found) return std::nullopt;
        return Value(*found != link.is_negated);
    }

    std::optional<Value> apply_link(const Link& link, const Value& left, const Value& right) {
        const auto* text = left.get_if<std::string_view>();
        std::optional<Value> result;
        if (link.regex != nullptr && text != nullptr) {
            if (!run_.spend(link.regex->cost(*text))) return std::nullopt;
            const auto does_match = link.regex->matches(*text, run_.meter());
            if (!does_match) return run_.fail_for_work();
            result = Value(*does_match);
        } else {
            result = apply(run_, link.op, left, right);
        }
        if (!result || !link.is_negated) return result;
        return Value(!*result->get_if<bool>());
    }

    Evaluation& run_;
};

}  // namespace

std::optional<Value> evaluate(Evaluation& run, const Node& node) {
    if (!run.spend()) return std::nullopt;
    return std::visit(Evaluator(run), node.data);
}

}  // namespace millrace::expression
