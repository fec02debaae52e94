#include "core/expression/parser.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/expression/lexer.hpp"
#include "core/expression/syntax_error.hpp"
#include "core/expression/token_stream.hpp"
#include "core/expression/utf8.hpp"
#include "core/limits.hpp"

namespace millrace::expression {
namespace {

enum class Binding { pipe, logic, fold, right, coalesce };

struct BinaryRow {
    std::string_view spelling{};
    int precedence = 0;
    Binding binding = Binding::fold;
    BinaryOperator op = BinaryOperator::add;  // Of `fold` and `right`.
    bool can_be_negated = false;
};

constexpr int kLowest = 0;
constexpr int kNot = 50;
constexpr int kSign = 90;

constexpr std::array<BinaryRow, 26> kBinary{{
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

template <class Data>
NodePtr make(Data data) {
    return make_node(Node{.data = std::move(data)});
}

// Precedence climbing. A function that returns null has left its reason in the stream. Runs of
// operators are collected flat, so only what is nested in the text recurses here and later.
class Parser {
public:
    Parser(std::string_view text, std::vector<Token> tokens) : tokens_(text, std::move(tokens)) {}

    Result<NodePtr> run() {
        NodePtr root = parse_sequence();
        if (root != nullptr && tokens_.current().kind != TokenKind::end) tokens_.fail_unexpected();
        if (tokens_.error()) return *tokens_.error();
        return root;
    }

private:
    // What has been read of an expression, and what it still can absorb.
    struct Left {
        NodePtr node{};
        const BinaryRow* last = nullptr;
    };

    // `a; b; c` is worth c.
    NodePtr parse_sequence() {
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

    bool ends_block() const {
        return tokens_.current().kind == TokenKind::end || tokens_.at("}") || tokens_.at(")");
    }

    NodePtr parse_expression(int precedence) {
        if (depth_ == limits::kExpressionDepthMax) return fail_depth();
        ++depth_;
        NodePtr node = precedence == kLowest && tokens_.accept("if") ? parse_if()
                                                                     : parse_operators(precedence);
        if (node != nullptr && precedence == kLowest && tokens_.at("?")) {
            node = parse_conditional(std::move(node));
        }
        --depth_;
        return node;
    }

    NodePtr parse_operators(int precedence) {
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

    static bool is_mixed(const BinaryRow* last, const BinaryRow& row) {
        return last != nullptr && last->binding == Binding::coalesce &&
               row.binding != Binding::coalesce && row.binding != Binding::pipe;
    }

    NodePtr absorb(Left left, const BinaryRow& row, bool is_negated) {
        switch (row.binding) {
            case Binding::pipe: return checked(parse_pipe(std::move(left.node)));
            case Binding::logic: return absorb_logic(std::move(left), row);
            case Binding::fold:
            case Binding::right: return absorb_fold(std::move(left), row, is_negated);
            case Binding::coalesce: return absorb_coalesce(std::move(left));
        }
        return nullptr;
    }

    // Adds one more operand to the run of operators that `left` is.
    template <class Data, class Operand>
    static NodePtr append(NodePtr left, std::vector<Operand> Data::*run, Operand operand,
                          std::uint32_t height) {
        (std::get<Data>(left->data).*run).push_back(std::move(operand));
        left->height = std::max(left->height, height + 1);
        return left;
    }

    NodePtr absorb_logic(Left left, const BinaryRow& row) {
        NodePtr right = parse_expression(row.precedence + 1);
        if (right == nullptr) return nullptr;
        const std::uint32_t height = right->height;
        if (left.last != nullptr && left.last->precedence == row.precedence) {
            return checked(
                append(std::move(left.node), &Logic::operands, std::move(right), height));
        }
        Logic logic{.stops_at = row.spelling == "or" || row.spelling == "||"};
        logic.operands.push_back(std::move(left.node));
        logic.operands.push_back(std::move(right));
        return checked(make(std::move(logic)));
    }

    NodePtr absorb_fold(Left left, const BinaryRow& row, bool is_negated) {
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
    bool prepare_regex(Link& link, const Node& pattern, const Token& token) {
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

    NodePtr absorb_coalesce(Left left) {
        NodePtr right = parse_expression(501);
        if (right == nullptr) return nullptr;
        const std::uint32_t height = right->height;
        // Also `(a ?? b) ?? c`, where b may be missing as well.
        if (std::holds_alternative<Coalesce>(left.node->data)) {
            return checked(
                append(std::move(left.node), &Coalesce::operands, std::move(right), height));
        }
        Coalesce coalesce;
        coalesce.operands.push_back(std::move(left.node));
        coalesce.operands.push_back(std::move(right));
        return checked(make(std::move(coalesce)));
    }

    NodePtr parse_pipe(NodePtr first) {
        const Token name = tokens_.current();
        if (name.kind != TokenKind::name && !name.is("contains")) {
            return tokens_.fail("expected a function behind |");
        }
        tokens_.take();
        return parse_postfix(parse_call(name, std::move(first)));
    }

    // `c ? a : b` and `c ?: b`.
    NodePtr parse_conditional(NodePtr condition) {
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
    NodePtr parse_if() {
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

    NodePtr parse_unary() {
        if (tokens_.accept("not") || tokens_.accept("!")) {
            return parse_operand(UnaryOperator::invert, kNot);
        }
        if (tokens_.accept("-")) return parse_operand(UnaryOperator::negate, kSign);
        if (tokens_.accept("+")) return parse_operand(UnaryOperator::plus, kSign);
        return parse_postfix(parse_primary());
    }

    NodePtr parse_operand(UnaryOperator op, int precedence) {
        NodePtr operand = parse_expression(precedence);
        if (operand == nullptr) return nullptr;
        return checked(make(Unary{.op = op, .operand = std::move(operand)}));
    }

    NodePtr parse_primary() {
        const Token token = tokens_.current();
        switch (token.kind) {
            case TokenKind::integer: tokens_.take(); return make(Constant{Value(token.integer)});
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

    NodePtr parse_name(const Token& token) {
        if (token.spelling == "true") return make(Constant{Value(true)});
        if (token.spelling == "false") return make(Constant{Value(false)});
        if (token.spelling == "nil") return make(Constant{});
        if (tokens_.at("(")) return parse_call(token, nullptr);
        if (token.spelling == "$env") return make(Environment{});
        return make(Variable{std::string(token.spelling)});
    }

    NodePtr parse_hash(const Token& token) {
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

    NodePtr parse_word(const Token& token) {
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

    NodePtr parse_bracket(const Token& token) {
        if (tokens_.accept("(")) return parse_until(")");
        if (tokens_.accept("${")) return parse_until("}");
        if (tokens_.accept("[")) return parse_list();
        if (tokens_.accept("{")) return parse_map();
        // `.name` in a predicate is `#.name`; the postfix takes the dot.
        if (token.is(".") && predicates_ > 0) return make(ScopeMember::element);
        return tokens_.fail_unexpected();
    }

    NodePtr parse_until(std::string_view bracket) {
        NodePtr node = parse_sequence();
        if (node == nullptr || !tokens_.expect(bracket)) return nullptr;
        return node;
    }

    // Reads `x, y, z` and the closing bracket. A comma may stand before the bracket.
    bool parse_items(Nodes& items, std::string_view bracket) {
        while (!tokens_.accept(bracket)) {
            NodePtr item = parse_expression(kLowest);
            if (item == nullptr) return false;
            items.push_back(std::move(item));
            if (!tokens_.at(bracket) && !tokens_.expect(",")) return false;
        }
        return true;
    }

    NodePtr parse_list() {
        ListLiteral list;
        if (!parse_items(list.items, "]")) return nullptr;
        return checked(make(std::move(list)));
    }

    NodePtr parse_map() {
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

    NodePtr parse_key() {
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
        return tokens_.fail(
            "expected the key of a map: a name, a string, a number or (expression)");
    }

    NodePtr parse_postfix(NodePtr base) {
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

    bool starts_step() const {
        if (tokens_.at(".")) return !tokens_.peek(1).is("[");
        return tokens_.at("?.") || tokens_.at("[");
    }

    bool parse_field(PathStep& step) {
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

    bool parse_method(PathStep& step, const Token& name) {
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
    bool parse_index(PathStep& step) {
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
    NodePtr parse_call(const Token& name, NodePtr first) {
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

    static std::string wrong_count(std::string_view name) {
        return "wrong number of arguments for " + std::string(name);
    }

    NodePtr parse_defined(const Token& name, NodePtr first) {
        Nodes arguments;
        if (first != nullptr) arguments.push_back(std::move(first));
        if (!parse_items(arguments, ")")) return nullptr;
        if (arguments.size() != 1) return tokens_.fail_at(name, wrong_count(name.spelling));
        if (root_variable(*arguments.front()) == nullptr) {
            return tokens_.fail_at(name, "defined takes a variable or a path that starts with one");
        }
        return checked(make(Defined{std::move(arguments.front())}));
    }

    NodePtr parse_predicate_call(const Token& name, const PredicateFunction& function,
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
    NodePtr parse_predicate(bool is_reduction) {
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

    NodePtr checked(NodePtr node) {
        if (node != nullptr && node->height > limits::kExpressionDepthMax) return fail_depth();
        return node;
    }

    std::nullptr_t fail_depth() {
        return tokens_.fail("it is nested deeper than " +
                            std::to_string(limits::kExpressionDepthMax));
    }

    TokenStream tokens_;
    std::size_t depth_ = 0;
    int predicates_ = 0;
    int reductions_ = 0;
};

}  // namespace

Result<NodePtr> parse(std::string_view text) {
    if (text.size() > limits::kExpressionBytesMax) {
        return Error{.code = ErrorCode::invalid_argument,
                     .detail = "the expression is longer than " +
                               std::to_string(limits::kExpressionBytesMax) + " bytes"};
    }
    if (!utf8::is_valid(text)) {
        return Error{.code = ErrorCode::invalid_argument, .detail = "the expression is not UTF-8"};
    }
    Result<std::vector<Token>> tokens = tokenize(text);
    if (!tokens) return tokens.error();
    if (tokens->size() == 1) return syntax_error(text, 0, "the expression is empty");
    return Parser(text, std::move(*tokens)).run();
}

}  // namespace millrace::expression
