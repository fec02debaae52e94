#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/expression/functions.hpp"
#include "core/expression/methods.hpp"
#include "core/expression/operators.hpp"
#include "core/expression/regex.hpp"
#include "core/expression/value.hpp"

// The parsed form of an expression. It is built once and never changes, so that threads share it.
namespace millrace::expression {

using NodePtr = std::unique_ptr<Node>;
using Nodes = std::vector<NodePtr>;

struct Constant {
    Value value{};  // Nil, a Boolean or a number.
};

struct Text {
    std::string text{};
};

struct Variable {
    std::string name{};
};

// `$env`: the map of all variables.
struct Environment {};

// What a predicate sees: `#`, `#index`, `#acc`.
enum class ScopeMember { element, index, accumulator };

struct Unary {
    UnaryOperator op = UnaryOperator::negate;
    NodePtr operand{};
};

// `a && b && c` or `a || b || c`.
struct Logic {
    bool stops_at = false;  // The value that decides at once: true for `||`.
    Nodes operands{};
};

struct Link {
    BinaryOperator op = BinaryOperator::add;
    bool is_negated = false;  // `not in` and the like.
    NodePtr operand{};
    std::shared_ptr<const Regex> regex{};  // Of `matches` with a literal pattern.
};

// Operators of one precedence, applied from left to right. Kept flat, so that a long sum is no deep
// tree. Neighbouring `<`, `<=`, `>` and `>=` mean what they mean in mathematics: `1 < x <= 5`.
struct Fold {
    NodePtr first{};
    std::vector<Link> links{};
};

// `a ?? b ?? c`: the first that is not nil. A variable that is missing is nil here, except in the
// last operand.
struct Coalesce {
    Nodes operands{};
};

struct Conditional {
    NodePtr condition{};
    NodePtr then{};  // Null in `a ?: b`, which gives `a`.
    NodePtr otherwise{};
};

struct Sequence {
    Nodes items{};
};

struct ListLiteral {
    Nodes items{};
};

struct MapLiteral {
    struct Pair {
        NodePtr key{};
        NodePtr value{};
    };
    std::vector<Pair> pairs{};
};

struct FieldStep {
    std::string name{};
};
struct IndexStep {
    NodePtr index{};
};
struct SliceStep {
    NodePtr from{};  // Null: from the start.
    NodePtr to{};    // Null: to the end.
};
struct MethodStep {
    const Method* method = nullptr;
    Nodes arguments{};
};

struct PathStep {
    bool is_optional = false;  // `?.`: nil ends the whole path as nil.
    std::variant<FieldStep, IndexStep, SliceStep, MethodStep> step{};
};

// `base.a[1]?.b`, flat.
struct Path {
    NodePtr base{};
    std::vector<PathStep> steps{};
};

struct Call {
    const Function* function = nullptr;
    Nodes arguments{};
};

struct PredicateCall {
    const PredicateFunction* function = nullptr;
    NodePtr list{};
    NodePtr body{};
    NodePtr extra{};
};

// `defined(a.b)`: whether variable and path are there. The operand is a Variable, or a Path on one.
struct Defined {
    NodePtr path{};
};

struct Node {
    std::variant<Constant, Text, Variable, Environment, ScopeMember, Unary, Logic, Fold, Coalesce,
                 Conditional, Sequence, ListLiteral, MapLiteral, Path, Call, PredicateCall, Defined>
        data{};
    std::uint32_t height = 1;  // Of the tree below, this node included.
};

// Sets the height.
NodePtr make_node(Node node);

// The variable that a path starts from, or that the node is; null when it starts from another
// thing.
const Variable* root_variable(const Node& node);

}  // namespace millrace::expression
