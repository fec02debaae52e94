#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string>

#include "commit/command.hpp"
#include "core/idempotency/idempotency_record.hpp"

namespace millrace {

// A request that its caller has named, so that it may repeat it: under one key it is done once, and
// every repetition learns so. The record is written in the transaction that does it. A refusal is
// not recorded: nothing was done, so the next try may succeed. Without a key this is the request as
// it is.
//
// An Audited request goes inside: a repetition does nothing, so there is nothing to note.
template <class Request>
struct Idempotent {
    static constexpr std::string_view kName = Request::kName;
    static constexpr bool kIsBulky = is_bulky_request<Request>();

    Request request{};
    std::optional<IdempotencyKey> key{};
    std::array<std::uint8_t, 32> request_hash{};  // Of all that was asked for.
};

// The answer of something that is done once.
template <class Answer>
struct Once {
    std::optional<Answer> answer{};           // Empty: it was done before.
    std::optional<InstanceId> instance_id{};  // Then, of a start: what it has started.

    bool is_replayed() const { return !answer; }
};

// key_reused: the key has named another request.
Error key_reused(const IdempotencyKey& key);

template <class Request>
Footprint footprint(const Idempotent<Request>& command) {
    Footprint needed = footprint(command.request);
    if (command.key) needed.idempotency_keys.push_back(*command.key);
    return needed;
}

// What a start notes for its repetitions; other requests have no such function.
template <class Request>
std::optional<InstanceId> instance_to_record(const Request& request) {
    if constexpr (requires { instance_started_by(request); }) return instance_started_by(request);
    return std::nullopt;
}

template <class Request>
Result<Decision<Once<AnswerOf<Request>>>> decide(const Idempotent<Request>& command,
                                                 const WorkingSet& rows, Instant now) {
    using Answer = AnswerOf<Request>;
    const IdempotencyRecord* done = command.key ? rows.find(*command.key) : nullptr;
    if (done != nullptr) {
        if (done->request_hash != command.request_hash) return key_reused(*command.key);
        return Decision<Once<Answer>>{.answer = {.instance_id = done->instance_id}};
    }
    Result<Decision<Answer>> decision = decide(command.request, rows, now);
    if (!decision) return decision.error();
    if (command.key && decision->missing.empty()) {
        decision->effects.idempotency_records.push_back({
            .key = *command.key,
            .request_hash = command.request_hash,
            .instance_id = instance_to_record(command.request),
            .created_at = now,
        });
    }
    return Decision<Once<Answer>>{
        .effects = std::move(decision->effects),
        .answer = {.answer = std::move(decision->answer)},
        .missing = std::move(decision->missing),
    };
}

}  // namespace millrace
