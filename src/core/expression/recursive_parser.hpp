#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "core/expression/node.hpp"
#include "core/expression/token_stream.hpp"

namespace millrace::expression {

// One row of the table of binary operators.
struct BinaryRow;

inline constexpr int kLowest = 0;

template <class Data>
NodePtr make(Data data) {
    return make_node(Node{.data = std::move(data)});
}

// Precedence climbing. A function that returns null or false has left its reason in the stream.
// Runs of operators are collected flat, so only what is nested in the text recurses here and later.
class Parser {
public:
    Parser(std::string_view text, std::vector<Token> tokens) : tokens_(text, std::move(tokens)) {}

    Result<NodePtr> run();

private:
    // What has been read of an expression, and the operator that made it.
    struct Left {
        NodePtr node{};
        const BinaryRow* last = nullptr;
    };

    // Whole expressions (parser.cpp).
    NodePtr parse_sequence();
    bool ends_block() const;
    NodePtr parse_expression(int precedence);
    NodePtr parse_conditional(NodePtr condition);
    NodePtr parse_if();

    // Null instead of what is nested too deep.
    NodePtr checked(NodePtr node);
    std::nullptr_t fail_depth();

    // Operators (parse_operators.cpp).
    NodePtr parse_operators(int precedence);
    NodePtr absorb(Left left, const BinaryRow& row, bool is_negated);
    NodePtr absorb_logic(Left left, const BinaryRow& row);
    NodePtr absorb_fold(Left left, const BinaryRow& row, bool is_negated);
    NodePtr absorb_coalesce(Left left);
    bool prepare_regex(Link& link, const Node& pattern, const Token& token);
    NodePtr parse_pipe(NodePtr first);
    NodePtr parse_unary();
    bool is_smallest_integer() const;
    NodePtr parse_operand(UnaryOperator op, int precedence);

    // Names, literals and brackets (parse_primary.cpp).
    NodePtr parse_primary();
    NodePtr parse_name(const Token& token);
    NodePtr parse_hash(const Token& token);
    NodePtr parse_word(const Token& token);
    NodePtr parse_bracket(const Token& token);
    NodePtr parse_until(std::string_view bracket);
    bool parse_items(Nodes& items, std::string_view bracket);
    NodePtr parse_list();
    NodePtr parse_map();
    NodePtr parse_key();

    // Paths and calls (parse_postfix.cpp).
    NodePtr parse_postfix(NodePtr base);
    bool starts_step() const;
    bool parse_field(PathStep& step);
    bool parse_method(PathStep& step, const Token& name);
    bool parse_index(PathStep& step);
    NodePtr parse_call(const Token& name, NodePtr first);
    NodePtr parse_defined(const Token& name, NodePtr first);
    NodePtr parse_predicate_call(const Token& name, const PredicateFunction& function,
                                 NodePtr first);
    NodePtr parse_predicate(bool is_reduction);

    TokenStream tokens_;
    std::size_t depth_ = 0;
    int predicates_ = 0;  // How many predicates are around this place.
    int reductions_ = 0;  // How many of them belong to `reduce`.
};

}  // namespace millrace::expression
