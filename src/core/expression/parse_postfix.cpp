#include <string>
#include <utility>

#include "core/expression/recursive_parser.hpp"

namespace millrace::expression {
namespace {

std::string wrong_count(std::string_view name) {
    return "wrong number of arguments for " + std::string(name);
}

}  // namespace

NodePtr Parser::parse_postfix(NodePtr base) {
    if (base == nullptr || !starts_step()) return base;
    Path path{.base = std::move(base)};
    while (starts_step()) {
        PathStep step{.is_optional = tokens_.at("?.")};
        const bool has_dot = !tokens_.at("[");
        if (has_dot) tokens_.take();
        const bool is_read = tokens_.accept("[") ? parse_index(step) : parse_field(step);
        if (!is_read) return nullptr;
        path.steps.push_back(std::move(step));
    }
    return checked(make(std::move(path)));
}

bool Parser::starts_step() const {
    if (tokens_.at(".")) return !tokens_.peek(1).is("[");
    return tokens_.at("?.") || tokens_.at("[");
}

bool Parser::parse_field(PathStep& step) {
    const Token name = tokens_.current();
    if (name.kind != TokenKind::name && name.kind != TokenKind::word) {
        tokens_.fail("expected a name behind the dot");
        return false;
    }
    tokens_.take();
    if (tokens_.accept("(")) return parse_method(step, name);
    step.step = FieldStep{std::string(name.spelling)};
    return true;
}

bool Parser::parse_method(PathStep& step, const Token& name) {
    MethodStep call{.method = find_method(name.spelling)};
    if (call.method == nullptr) {
        tokens_.fail_at(name, "there is no method " + std::string(name.spelling));
        return false;
    }
    if (!parse_items(call.arguments, ")")) return false;
    if (call.arguments.size() != call.method->arguments) {
        tokens_.fail_at(name, wrong_count(name.spelling));
        return false;
    }
    step.step = std::move(call);
    return true;
}

// Stands behind `[`.
bool Parser::parse_index(PathStep& step) {
    NodePtr from;
    if (!tokens_.at(":")) {
        from = parse_expression(kLowest);
        if (from == nullptr) return false;
    }
    if (tokens_.accept("]")) {
        step.step = IndexStep{std::move(from)};
        return true;
    }
    if (!tokens_.expect(":")) return false;
    SliceStep slice{.from = std::move(from)};
    if (!tokens_.at("]")) {
        slice.to = parse_expression(kLowest);
        if (slice.to == nullptr) return false;
    }
    step.step = std::move(slice);
    return tokens_.expect("]");
}

// `first` comes from a pipe, or is null. Stands before `(`.
NodePtr Parser::parse_call(const Token& name, NodePtr first) {
    if (!tokens_.expect("(")) return nullptr;
    if (name.spelling == "defined") return parse_defined(name, std::move(first));
    if (const auto* function = find_predicate_function(name.spelling)) {
        return parse_predicate_call(name, *function, std::move(first));
    }
    const Function* function = find_function(name.spelling);
    if (function == nullptr) {
        return tokens_.fail_at(name, "there is no function " + std::string(name.spelling));
    }
    Call call{.function = function};
    if (first != nullptr) call.arguments.push_back(std::move(first));
    if (!parse_items(call.arguments, ")")) return nullptr;
    if (call.arguments.size() < function->arguments_min ||
        call.arguments.size() > function->arguments_max) {
        return tokens_.fail_at(name, wrong_count(name.spelling));
    }
    return checked(make(std::move(call)));
}

NodePtr Parser::parse_defined(const Token& name, NodePtr first) {
    Nodes arguments;
    if (first != nullptr) arguments.push_back(std::move(first));
    if (!parse_items(arguments, ")")) return nullptr;
    if (arguments.size() != 1) return tokens_.fail_at(name, wrong_count(name.spelling));
    if (root_variable(*arguments.front()) == nullptr) {
        return tokens_.fail_at(name, "defined takes a variable or a path that starts with one");
    }
    return checked(make(Defined{std::move(arguments.front())}));
}

NodePtr Parser::parse_predicate_call(const Token& name, const PredicateFunction& function,
                                     NodePtr first) {
    PredicateCall call{.function = &function, .list = std::move(first)};
    if (call.list == nullptr) {
        call.list = parse_expression(kLowest);
        if (call.list == nullptr) return nullptr;
        if (!tokens_.at(")") && !tokens_.expect(",")) return nullptr;
    }
    if (!tokens_.at(")")) {
        call.body = parse_predicate(name.spelling == "reduce");
        if (call.body == nullptr) return nullptr;
    } else if (function.needs_body) {
        return tokens_.fail(std::string(name.spelling) + " needs a predicate");
    }
    if (tokens_.accept(",") && !tokens_.at(")")) {
        if (!function.takes_extra) return tokens_.fail_at(name, wrong_count(name.spelling));
        call.extra = parse_expression(kLowest);
        if (call.extra == nullptr) return nullptr;
        tokens_.accept(",");
    }
    if (!tokens_.expect(")")) return nullptr;
    return checked(make(std::move(call)));
}

// Braces around a predicate may be left out; `{a: 1}` is a map all the same.
NodePtr Parser::parse_predicate(bool is_reduction) {
    ++predicates_;
    reductions_ += is_reduction ? 1 : 0;
    NodePtr body;
    if (tokens_.at("{") && !tokens_.peek(2).is(":") && !tokens_.peek(1).is("}")) {
        tokens_.take();
        body = parse_until("}");
    } else {
        body = parse_expression(kLowest);
    }
    reductions_ -= is_reduction ? 1 : 0;
    --predicates_;
    return body;
}

}  // namespace millrace::expression
