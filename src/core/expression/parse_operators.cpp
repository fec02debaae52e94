#include <algorithm>
#include <array>
#include <utility>

#include "core/expression/recursive_parser.hpp"

namespace millrace::expression {

struct BinaryRow {
    enum class Binding { pipe, logic, fold, right, coalesce };

    std::string_view spelling{};
    int precedence = 0;
    Binding binding = Binding::fold;
    BinaryOperator op = BinaryOperator::add;  // Of `fold` and `right`.
    bool can_be_negated = false;
};

namespace {

using Binding = BinaryRow::Binding;

constexpr int kNot = 50;
constexpr int kSign = 90;

constexpr std::array<BinaryRow, 25> kBinary{{
    {"|", 0, Binding::pipe},
    {"or", 10, Binding::logic},
    {"||", 10, Binding::logic},
    {"and", 15, Binding::logic},
    {"&&", 15, Binding::logic},
    {"==", 20, Binding::fold, BinaryOperator::equal},
    {"!=", 20, Binding::fold, BinaryOperator::not_equal},
    {"<", 20, Binding::fold, BinaryOperator::less},
    {">", 20, Binding::fold, BinaryOperator::greater},
    {"<=", 20, Binding::fold, BinaryOperator::less_equal},
    {">=", 20, Binding::fold, BinaryOperator::greater_equal},
    {"in", 20, Binding::fold, BinaryOperator::in, true},
    {"matches", 20, Binding::fold, BinaryOperator::matches, true},
    {"contains", 20, Binding::fold, BinaryOperator::contains, true},
    {"startsWith", 20, Binding::fold, BinaryOperator::starts_with, true},
    {"endsWith", 20, Binding::fold, BinaryOperator::ends_with, true},
    {"..", 25, Binding::fold, BinaryOperator::range},
    {"+", 30, Binding::fold, BinaryOperator::add},
    {"-", 30, Binding::fold, BinaryOperator::subtract},
    {"*", 60, Binding::fold, BinaryOperator::multiply},
    {"/", 60, Binding::fold, BinaryOperator::divide},
    {"%", 60, Binding::fold, BinaryOperator::modulo},
    {"**", 100, Binding::right, BinaryOperator::power},
    {"^", 100, Binding::right, BinaryOperator::power},
    {"??", 500, Binding::coalesce},
}};

const BinaryRow* find_binary(const Token& token) {
    for (const BinaryRow& row : kBinary) {
        if (token.is(row.spelling)) return &row;
    }
    return nullptr;
}

bool is_mixed(const BinaryRow* last, const BinaryRow& row) {
    return last != nullptr && last->binding == Binding::coalesce &&
           row.binding != Binding::coalesce && row.binding != Binding::pipe;
}

// Adds one more operand to the run of operators that `left` is.
template <class Data, class Operand>
NodePtr append(NodePtr left, std::vector<Operand> Data::*run, Operand operand,
               std::uint32_t height) {
    (std::get<Data>(left->data).*run).push_back(std::move(operand));
    left->height = std::max(left->height, height + 1);
    return left;
}

}  // namespace

NodePtr Parser::parse_operators(int precedence) {
    Left left{.node = parse_unary()};
    while (left.node != nullptr) {
        const bool is_negated = tokens_.at("not");
        const Token& token = tokens_.peek(is_negated ? 1 : 0);
        const BinaryRow* row = find_binary(token);
        if (row == nullptr || row->precedence < precedence) break;
        if (is_negated && !row->can_be_negated) break;
        if (is_negated) tokens_.take();
        const Token operator_token = tokens_.take();
        if (is_mixed(left.last, *row)) {
            return tokens_.fail_at(operator_token,
                                   "?? and other operators need parentheses between them");
        }
        left.node = absorb(std::move(left), *row, is_negated);
        left.last = row;
    }
    return std::move(left.node);
}

NodePtr Parser::absorb(Left left, const BinaryRow& row, bool is_negated) {
    switch (row.binding) {
        case Binding::pipe: return checked(parse_pipe(std::move(left.node)));
        case Binding::logic: return absorb_logic(std::move(left), row);
        case Binding::fold:
        case Binding::right: return absorb_fold(std::move(left), row, is_negated);
        case Binding::coalesce: return absorb_coalesce(std::move(left));
    }
    return nullptr;
}

NodePtr Parser::absorb_logic(Left left, const BinaryRow& row) {
    NodePtr right = parse_expression(row.precedence + 1);
    if (right == nullptr) return nullptr;
    const std::uint32_t height = right->height;
    if (left.last != nullptr && left.last->precedence == row.precedence) {
        return checked(append(std::move(left.node), &Logic::operands, std::move(right), height));
    }
    Logic logic{.stops_at = row.spelling == "or" || row.spelling == "||"};
    logic.operands.push_back(std::move(left.node));
    logic.operands.push_back(std::move(right));
    return checked(make(std::move(logic)));
}

NodePtr Parser::absorb_fold(Left left, const BinaryRow& row, bool is_negated) {
    const bool is_right = row.binding == Binding::right;
    const Token operand = tokens_.current();
    NodePtr right = parse_expression(row.precedence + (is_right ? 0 : 1));
    if (right == nullptr) return nullptr;
    Link link{.op = row.op, .is_negated = is_negated};
    if (!prepare_regex(link, *right, operand)) return nullptr;
    const std::uint32_t height = right->height;
    link.operand = std::move(right);
    if (left.last != nullptr && left.last->precedence == row.precedence) {
        return checked(append(std::move(left.node), &Fold::links, std::move(link), height));
    }
    Fold fold{.first = std::move(left.node)};
    fold.links.push_back(std::move(link));
    return checked(make(std::move(fold)));
}

// A literal pattern is compiled once, and a bad one is found before anything runs.
bool Parser::prepare_regex(Link& link, const Node& pattern, const Token& token) {
    const auto* text = std::get_if<Text>(&pattern.data);
    if (link.op != BinaryOperator::matches || text == nullptr) return true;
    Result<Regex> regex = Regex::compile(text->text);
    if (!regex) {
        tokens_.fail_at(token, regex.error().detail);
        return false;
    }
    link.regex = std::make_shared<const Regex>(std::move(*regex));
    return true;
}

NodePtr Parser::absorb_coalesce(Left left) {
    NodePtr right = parse_expression(501);
    if (right == nullptr) return nullptr;
    const std::uint32_t height = right->height;
    // Also `(a ?? b) ?? c`, where b may be missing as well.
    if (std::holds_alternative<Coalesce>(left.node->data)) {
        return checked(append(std::move(left.node), &Coalesce::operands, std::move(right), height));
    }
    Coalesce coalesce;
    coalesce.operands.push_back(std::move(left.node));
    coalesce.operands.push_back(std::move(right));
    return checked(make(std::move(coalesce)));
}

NodePtr Parser::parse_pipe(NodePtr first) {
    const Token name = tokens_.current();
    if (name.kind != TokenKind::name && !name.is("contains")) {
        return tokens_.fail("expected a function behind |");
    }
    tokens_.take();
    return parse_postfix(parse_call(name, std::move(first)));
}

NodePtr Parser::parse_unary() {
    if (tokens_.accept("not") || tokens_.accept("!")) {
        return parse_operand(UnaryOperator::invert, kNot);
    }
    if (tokens_.accept("-")) {
        if (is_smallest_integer()) return make(Constant{Value(tokens_.take().integer)});
        return parse_operand(UnaryOperator::negate, kSign);
    }
    if (tokens_.accept("+")) return parse_operand(UnaryOperator::plus, kSign);
    return parse_postfix(parse_primary());
}

// Behind a minus: whether 2^63 stands there, and nothing that binds tighter than the minus.
bool Parser::is_smallest_integer() const {
    if (!tokens_.current().needs_minus) return false;
    const Token& next = tokens_.peek(1);
    const BinaryRow* row = find_binary(next);
    return (row == nullptr || row->precedence < kSign) && !next.is("[") && !next.is(".") &&
           !next.is("?.");
}

NodePtr Parser::parse_operand(UnaryOperator op, int precedence) {
    NodePtr operand = parse_expression(precedence);
    if (operand == nullptr) return nullptr;
    return checked(make(Unary{.op = op, .operand = std::move(operand)}));
}

}  // namespace millrace::expression
