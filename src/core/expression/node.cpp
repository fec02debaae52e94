#include "core/expression/node.hpp"

#include <algorithm>

namespace millrace::expression {
namespace {

// Collects the greatest height among the children of one node.
class HeightOfChildren {
public:
    std::uint32_t highest() const { return highest_; }

    void operator()(const Constant&) {}
    void operator()(const Text&) {}
    void operator()(const Variable&) {}
    void operator()(const Environment&) {}
    void operator()(ScopeMember) {}
    void operator()(const Unary& node) { see(node.operand); }
    void operator()(const Logic& node) { see(node.operands); }
    void operator()(const Coalesce& node) { see(node.operands); }
    void operator()(const Sequence& node) { see(node.items); }
    void operator()(const ListLiteral& node) { see(node.items); }
    void operator()(const Call& node) { see(node.arguments); }
    void operator()(const Defined& node) { see(node.path); }
    void operator()(const FieldStep&) {}
    void operator()(const IndexStep& step) { see(step.index); }
    void operator()(const MethodStep& step) { see(step.arguments); }
    void operator()(const Fold& node) {
        see(node.first);
        for (const Link& link : node.links) see(link.operand);
    }
    void operator()(const Conditional& node) {
        see(node.condition);
        see(node.then);
        see(node.otherwise);
    }
    void operator()(const MapLiteral& node) {
        for (const auto& [key, value] : node.pairs) {
            see(key);
            see(value);
        }
    }
    void operator()(const SliceStep& step) {
        see(step.from);
        see(step.to);
    }
    void operator()(const Path& node) {
        see(node.base);
        for (const PathStep& step : node.steps) std::visit(*this, step.step);
    }
    void operator()(const PredicateCall& node) {
        see(node.list);
        see(node.body);
        see(node.extra);
    }

private:
    void see(const NodePtr& child) {
        if (child != nullptr) highest_ = std::max(highest_, child->height);
    }
    void see(const Nodes& children) {
        for (const NodePtr& child : children) see(child);
    }

    std::uint32_t highest_ = 0;
};

}  // namespace

NodePtr make_node(Node node) {
    HeightOfChildren height;
    std::visit(height, node.data);
    node.height = height.highest() + 1;
    return std::make_unique<Node>(std::move(node));
}

const Variable* root_variable(const Node& node) {
    if (const auto* path = std::get_if<Path>(&node.data)) return root_variable(*path->base);
    return std::get_if<Variable>(&node.data);
}

}  // namespace millrace::expression
