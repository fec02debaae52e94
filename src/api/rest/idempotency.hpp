#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/http/message.hpp"
#include "api/rest/body_reader.hpp"
#include "base/json/value.hpp"
#include "base/result.hpp"
#include "engine/audited.hpp"
#include "engine/idempotent.hpp"

namespace millrace::rest {

// The header Idempotency-Key; empty when it was not sent. invalid_argument: it is sent twice or
// breaks a rule of keys.
Result<std::optional<std::string>> idempotency_key_of(const http::HttpRequest& request);

// What is wrong with a key, from wherever it came: it has 1 to kIdempotencyKeyBytesMax bytes of
// UTF-8 without control characters. `path` names it in the error.
std::optional<Error> idempotency_key_error(std::string_view key, std::string_view path);

// The field idempotencyKey of an item of a batch; `path` leads to the item. Empty when it is
// absent.
Result<std::optional<std::string>> item_key(BodyReader& body, const std::string& path);

// SHA-256 of the operation and of what is asked for. Neither whitespace nor the order of members
// matters.
std::array<std::uint8_t, 32> request_hash(std::string_view operation, json::Value asked);

// The command under its caller's key, if there is one. `asked(command)` gives all that makes two
// requests the same as one JSON value: ids of the path, and what was read from the body. What the
// server adds, such as a fresh id, is no part of it.
template <class Request, class Asked>
Idempotent<Audited<Request>> idempotent(std::optional<std::string> key,
                                        const WorkspaceId& workspace_id, Audited<Request> command,
                                        Asked asked) {
    if (!key) return {.request = std::move(command)};
    const auto hash = request_hash(Request::kName, asked(command.request));
    return {.request = std::move(command),
            .key = IdempotencyKey{workspace_id, std::string(Request::kName), std::move(*key)},
            .request_hash = hash};
}

// Tells the caller when nothing was done because it had been done before.
http::HttpResponse marked_if_replayed(http::HttpResponse response, bool is_replayed);

}  // namespace millrace::rest
