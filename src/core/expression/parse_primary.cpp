#include <string>
#include <utility>

#include "core/expression/literal.hpp"
#include "core/expression/recursive_parser.hpp"

namespace millrace::expression {

NodePtr Parser::parse_primary() {
    const Token token = tokens_.current();
    switch (token.kind) {
        case TokenKind::integer:
            if (token.needs_minus) return tokens_.fail(kIntegerTooLarge);
            tokens_.take();
            return make(Constant{Value(token.integer)});
        case TokenKind::number: tokens_.take(); return make(Constant{Value(token.number)});
        case TokenKind::text: tokens_.take(); return make(Text{token.text});
        case TokenKind::name: tokens_.take(); return parse_name(token);
        case TokenKind::hash:
        case TokenKind::hashed_name: tokens_.take(); return parse_hash(token);
        case TokenKind::word: return parse_word(token);
        case TokenKind::symbol: return parse_bracket(token);
        case TokenKind::end: break;
    }
    return tokens_.fail("unexpected end");
}

NodePtr Parser::parse_name(const Token& token) {
    if (token.spelling == "true") return make(Constant{Value(true)});
    if (token.spelling == "false") return make(Constant{Value(false)});
    if (token.spelling == "nil") return make(Constant{});
    if (tokens_.at("(")) return parse_call(token, nullptr);
    if (token.spelling == "$env") return make(Environment{});
    return make(Variable{std::string(token.spelling)});
}

NodePtr Parser::parse_hash(const Token& token) {
    if (predicates_ > 0) {
        if (token.kind == TokenKind::hash) return make(ScopeMember::element);
        if (token.spelling == "index") return make(ScopeMember::index);
        if (token.spelling == "acc" && reductions_ > 0) return make(ScopeMember::accumulator);
    }
    if (token.kind == TokenKind::hash) {
        return tokens_.fail_at(token, "# has a meaning only inside a predicate");
    }
    return make(Variable{std::string(token.spelling)});
}

NodePtr Parser::parse_word(const Token& token) {
    if (token.is("null")) {
        tokens_.take();
        return make(Constant{});
    }
    if (token.is("contains") && tokens_.peek(1).is("(")) {
        tokens_.take();
        return parse_call(token, nullptr);
    }
    if (token.is("let")) return tokens_.fail("let is not part of the language");
    return tokens_.fail_unexpected();
}

NodePtr Parser::parse_bracket(const Token& token) {
    if (tokens_.accept("(")) return parse_until(")");
    if (tokens_.accept("${")) return parse_until("}");
    if (tokens_.accept("[")) return parse_list();
    if (tokens_.accept("{")) return parse_map();
    // `.name` in a predicate is `#.name`; the postfix takes the dot.
    if (token.is(".") && predicates_ > 0) return make(ScopeMember::element);
    return tokens_.fail_unexpected();
}

NodePtr Parser::parse_until(std::string_view bracket) {
    NodePtr node = parse_sequence();
    if (node == nullptr || !tokens_.expect(bracket)) return nullptr;
    return node;
}

// Reads `x, y, z` and the closing bracket. A comma may stand before the bracket.
bool Parser::parse_items(Nodes& items, std::string_view bracket) {
    while (!tokens_.accept(bracket)) {
        NodePtr item = parse_expression(kLowest);
        if (item == nullptr) return false;
        items.push_back(std::move(item));
        if (!tokens_.at(bracket) && !tokens_.expect(",")) return false;
    }
    return true;
}

NodePtr Parser::parse_list() {
    ListLiteral list;
    if (!parse_items(list.items, "]")) return nullptr;
    return checked(make(std::move(list)));
}

NodePtr Parser::parse_map() {
    MapLiteral map;
    while (!tokens_.accept("}")) {
        MapLiteral::Pair pair{.key = parse_key()};
        if (pair.key == nullptr || !tokens_.expect(":")) return nullptr;
        pair.value = parse_expression(kLowest);
        if (pair.value == nullptr) return nullptr;
        map.pairs.push_back(std::move(pair));
        if (!tokens_.at("}") && !tokens_.expect(",")) return nullptr;
    }
    return checked(make(std::move(map)));
}

NodePtr Parser::parse_key() {
    const Token token = tokens_.current();
    switch (token.kind) {
        case TokenKind::text: tokens_.take(); return make(Text{token.text});
        case TokenKind::integer:
        case TokenKind::number:
        case TokenKind::word:
        case TokenKind::name: tokens_.take(); return make(Text{std::string(token.spelling)});
        case TokenKind::symbol:
            if (token.is("(")) return parse_expression(kLowest);
            [[fallthrough]];
        case TokenKind::hash:
        case TokenKind::hashed_name:
        case TokenKind::end: break;
    }
    return tokens_.fail("expected the key of a map: a name, a string, a number or (expression)");
}

}  // namespace millrace::expression
