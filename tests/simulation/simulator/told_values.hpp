#pragma once

#include <any>
#include <optional>

#include "engine/audited.hpp"
#include "engine/idempotent.hpp"

namespace millrace::sim {

// The request in what was submitted, whatever it is wrapped in; null when it is another one.
template <class Request>
const Request* request_in(const std::any& submitted) {
    if (const auto* plain = std::any_cast<Request>(&submitted)) return plain;
    if (const auto* audited = std::any_cast<Audited<Request>>(&submitted)) {
        return &audited->request;
    }
    if (const auto* once = std::any_cast<Idempotent<Request>>(&submitted)) return &once->request;
    if (const auto* both = std::any_cast<Idempotent<Audited<Request>>>(&submitted)) {
        return &both->request.request;
    }
    return nullptr;
}

// The answer to it; null when it is another one, or that of a repetition.
template <class Answer>
const Answer* answer_in(const std::any& answer) {
    if (const auto* plain = std::any_cast<Answer>(&answer)) return plain;
    const auto* once = std::any_cast<Once<Answer>>(&answer);
    return once != nullptr && once->answer ? &*once->answer : nullptr;
}

// What a repetition was told to have started.
template <class Answer>
std::optional<InstanceId> replayed_in(const std::any& answer) {
    const auto* once = std::any_cast<Once<Answer>>(&answer);
    return once != nullptr && once->is_replayed() ? once->instance_id : std::nullopt;
}

}  // namespace millrace::sim
