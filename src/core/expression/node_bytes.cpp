#include "core/expression/node_bytes.hpp"

namespace millrace::expression {

namespace {

constexpr std::size_t kBlockBytes = 16;  // Around each piece of memory, by whoever hands it out.

std::size_t bytes_of(const NodePtr& node) {
    return node == nullptr ? 0 : memory_bytes(*node);
}

std::size_t bytes_of(const Nodes& nodes) {
    std::size_t bytes = nodes.capacity() * sizeof(NodePtr) + kBlockBytes;
    for (const NodePtr& node : nodes) bytes += bytes_of(node);
    return bytes;
}

std::size_t bytes_of(const std::string& text) {
    return text.capacity() + kBlockBytes;
}

std::size_t bytes_of(const PathStep& step) {
    struct Measure {
        std::size_t operator()(const FieldStep& part) const { return bytes_of(part.name); }
        std::size_t operator()(const IndexStep& part) const { return bytes_of(part.index); }
        std::size_t operator()(const SliceStep& part) const {
            return bytes_of(part.from) + bytes_of(part.to);
        }
        std::size_t operator()(const MethodStep& part) const { return bytes_of(part.arguments); }
    };
    return sizeof(PathStep) + std::visit(Measure{}, step.step);
}

// What a node holds besides itself.
struct Measure {
    std::size_t operator()(const Constant&) const { return 0; }
    std::size_t operator()(const Text& part) const { return bytes_of(part.text); }
    std::size_t operator()(const Variable& part) const { return bytes_of(part.name); }
    std::size_t operator()(const Environment&) const { return 0; }
    std::size_t operator()(const ScopeMember&) const { return 0; }
    std::size_t operator()(const Unary& part) const { return bytes_of(part.operand); }
    std::size_t operator()(const Logic& part) const { return bytes_of(part.operands); }
    std::size_t operator()(const Fold& part) const {
        std::size_t bytes = bytes_of(part.first) + part.links.capacity() * sizeof(Link);
        for (const Link& link : part.links) {
            bytes += bytes_of(link.operand);
            if (link.regex) bytes += link.regex->bytes();
        }
        return bytes;
    }
    std::size_t operator()(const Coalesce& part) const { return bytes_of(part.operands); }
    std::size_t operator()(const Conditional& part) const {
        return bytes_of(part.condition) + bytes_of(part.then) + bytes_of(part.otherwise);
    }
    std::size_t operator()(const Sequence& part) const { return bytes_of(part.items); }
    std::size_t operator()(const ListLiteral& part) const { return bytes_of(part.items); }
    std::size_t operator()(const MapLiteral& part) const {
        std::size_t bytes = part.pairs.capacity() * sizeof(MapLiteral::Pair);
        for (const auto& pair : part.pairs) bytes += bytes_of(pair.key) + bytes_of(pair.value);
        return bytes;
    }
    std::size_t operator()(const Path& part) const {
        std::size_t bytes = bytes_of(part.base);
        for (const PathStep& step : part.steps) bytes += bytes_of(step);
        return bytes;
    }
    std::size_t operator()(const Call& part) const { return bytes_of(part.arguments); }
    std::size_t operator()(const PredicateCall& part) const {
        return bytes_of(part.list) + bytes_of(part.body) + bytes_of(part.extra);
    }
    std::size_t operator()(const Defined& part) const { return bytes_of(part.path); }
};

}  // namespace

std::size_t memory_bytes(const Node& node) {
    return sizeof(Node) + kBlockBytes + std::visit(Measure{}, node.data);
}

}  // namespace millrace::expression
