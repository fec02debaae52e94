#include "core/expression/parser.hpp"

#include <string>
#include <utility>

#include "core/expression/lexer.hpp"
#include "core/expression/recursive_parser.hpp"
#include "core/expression/syntax_error.hpp"
#include "core/expression/utf8.hpp"
#include "core/limits.hpp"

namespace millrace::expression {

Result<NodePtr> Parser::run() {
    NodePtr root = parse_sequence();
    if (root != nullptr && tokens_.current().kind != TokenKind::end) tokens_.fail_unexpected();
    if (tokens_.error()) return *tokens_.error();
    return root;
}

// `a; b; c` is worth c.
NodePtr Parser::parse_sequence() {
    NodePtr first = parse_expression(kLowest);
    if (first == nullptr || !tokens_.at(";")) return first;
    Sequence sequence;
    sequence.items.push_back(std::move(first));
    while (tokens_.accept(";")) {
        if (ends_block()) break;
        NodePtr next = parse_expression(kLowest);
        if (next == nullptr) return nullptr;
        sequence.items.push_back(std::move(next));
    }
    return checked(make(std::move(sequence)));
}

bool Parser::ends_block() const {
    return tokens_.current().kind == TokenKind::end || tokens_.at("}") || tokens_.at(")");
}

NodePtr Parser::parse_expression(int precedence) {
    if (depth_ == limits::kExpressionDepthMax) return fail_depth();
    ++depth_;
    NodePtr node =
        precedence == kLowest && tokens_.accept("if") ? parse_if() : parse_operators(precedence);
    if (node != nullptr && precedence == kLowest && tokens_.at("?")) {
        node = parse_conditional(std::move(node));
    }
    --depth_;
    return node;
}

// `c ? a : b` and `c ?: b`.
NodePtr Parser::parse_conditional(NodePtr condition) {
    tokens_.take();
    Conditional node{.condition = std::move(condition)};
    if (!tokens_.at(":")) {
        node.then = parse_expression(kLowest);
        if (node.then == nullptr) return nullptr;
    }
    if (!tokens_.expect(":")) return nullptr;
    node.otherwise = parse_expression(kLowest);
    if (node.otherwise == nullptr) return nullptr;
    return checked(make(std::move(node)));
}

// `if c { a } else { b }`, `else if` too. Stands behind `if`.
NodePtr Parser::parse_if() {
    Conditional node{.condition = parse_expression(kLowest)};
    if (node.condition == nullptr || !tokens_.expect("{")) return nullptr;
    node.then = parse_sequence();
    if (node.then == nullptr || !tokens_.expect("}") || !tokens_.expect("else")) return nullptr;
    if (tokens_.at("if")) {
        node.otherwise = parse_expression(kLowest);
    } else {
        if (!tokens_.expect("{")) return nullptr;
        node.otherwise = parse_sequence();
        if (node.otherwise != nullptr && !tokens_.expect("}")) return nullptr;
    }
    if (node.otherwise == nullptr) return nullptr;
    return checked(make(std::move(node)));
}

NodePtr Parser::checked(NodePtr node) {
    if (node != nullptr && node->height > limits::kExpressionDepthMax) return fail_depth();
    return node;
}

std::nullptr_t Parser::fail_depth() {
    return tokens_.fail("it is nested deeper than " + std::to_string(limits::kExpressionDepthMax));
}

Result<NodePtr> parse(std::string_view text) {
    if (text.size() > limits::kExpressionBytesMax) {
        return Error{.code = ErrorCode::invalid_argument,
                     .detail = "the expression is longer than " +
                               std::to_string(limits::kExpressionBytesMax) + " bytes"};
    }
    if (const std::size_t bad = utf8::valid_size(text); bad < text.size()) {
        return syntax_error(text, bad, "a byte that is no UTF-8");
    }
    Result<std::vector<Token>> tokens = tokenize(text);
    if (!tokens) return tokens.error();
    if (tokens->size() == 1) return syntax_error(text, 0, "the expression is empty");
    return Parser(text, std::move(*tokens)).run();
}

}  // namespace millrace::expression
