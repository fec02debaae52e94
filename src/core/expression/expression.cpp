#include "core/expression/expression.hpp"

#include <utility>

#include "core/expression/evaluator.hpp"
#include "core/expression/node_bytes.hpp"
#include "core/expression/parser.hpp"
#include "core/expression/to_json.hpp"

namespace millrace {
namespace {

Error failure(const expression::Evaluation& run) {
    return Error{.code = ErrorCode::invalid_argument, .detail = run.reason()};
}

}  // namespace

Expression::Expression(std::shared_ptr<const std::string> text,
                       std::shared_ptr<const expression::Node> root)
    : text_(std::move(text)), root_(std::move(root)) {}

Result<Expression> Expression::compile(std::string_view text) {
    Result<expression::NodePtr> root = expression::parse(text);
    if (!root) return root.error();
    return Expression(std::make_shared<const std::string>(text), std::move(*root));
}

std::size_t Expression::bytes() const {
    return text_->capacity() + expression::memory_bytes(*root_);
}

Result<json::Value> Expression::evaluate(const expression::IndexedObject& variables, Instant now,
                                         WorkMeter& meter) const {
    expression::Evaluation run(variables, now, meter);
    const auto value = expression::evaluate(run, *root_);
    if (!value) return failure(run);
    auto result = expression::to_json(run, *value);
    if (!result) return failure(run);
    return std::move(*result);
}

Result<bool> Expression::decide(const expression::IndexedObject& variables, Instant now,
                                WorkMeter& meter) const {
    expression::Evaluation run(variables, now, meter);
    const auto value = expression::evaluate(run, *root_);
    if (!value) return failure(run);
    const auto* decision = value->get_if<bool>();
    if (decision == nullptr) {
        return Error{.code = ErrorCode::invalid_argument,
                     .detail = "result is " + std::string(value->type()) + ", not bool"};
    }
    return *decision;
}

Result<json::Value> Expression::evaluate(const json::Value& variables, Instant now) const {
    WorkMeter meter;
    return evaluate(expression::IndexedObject(variables), now, meter);
}

Result<bool> Expression::decide(const json::Value& variables, Instant now) const {
    WorkMeter meter;
    return decide(expression::IndexedObject(variables), now, meter);
}

}  // namespace millrace
