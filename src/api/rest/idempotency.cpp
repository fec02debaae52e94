#include "api/rest/idempotency.hpp"

#include <algorithm>

#include "api/rest/body_reader.hpp"
#include "base/json/sort_keys.hpp"
#include "base/json/write.hpp"
#include "core/expression/utf8.hpp"
#include "core/limits.hpp"
#include "runtime/sha256.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kHeader = "Idempotency-Key";

bool is_control(char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
}

Error refused(std::string_view path, std::string_view rule) {
    const std::string reason = std::string(path) + std::string(rule);
    return {ErrorCode::invalid_argument, reason, {{std::string(path), reason}}};
}

}  // namespace

Result<std::optional<std::string>> idempotency_key_of(const http::HttpRequest& request) {
    const std::optional<std::string_view> sent = request.headers.find(kHeader);
    if (!sent) return std::optional<std::string>{};
    if (request.headers.count(kHeader) > 1) return refused(kHeader, " must be sent once");
    if (const auto error = idempotency_key_error(*sent, kHeader)) return *error;
    return std::optional(std::string(*sent));
}

std::optional<Error> idempotency_key_error(std::string_view key, std::string_view path) {
    if (key.empty()) return refused(path, " must not be empty");
    if (key.size() > limits::kIdempotencyKeyBytesMax) {
        return refused(path, " must be at most " + std::to_string(limits::kIdempotencyKeyBytesMax) +
                                 " bytes long");
    }
    if (std::ranges::any_of(key, is_control)) {
        return refused(path, " must not contain control characters");
    }
    if (!expression::utf8::is_valid(key)) return refused(path, " must be UTF-8");
    return std::nullopt;
}

Result<std::optional<std::string>> item_key(BodyReader& body, const std::string& path) {
    std::optional<std::string> key = body.optional_text("idempotencyKey");
    if (body.has_error()) return body.error();
    if (key) {
        if (const auto error = idempotency_key_error(*key, path + ".idempotencyKey")) return *error;
    }
    return key;
}

std::array<std::uint8_t, 32> request_hash(std::string_view operation, json::Value asked) {
    json::sort_keys(asked);
    return runtime::sha256(std::string(operation) + "\n" + json::write(asked));
}

http::HttpResponse marked_if_replayed(http::HttpResponse response, bool is_replayed) {
    if (is_replayed) response.headers.emplace_back("Idempotent-Replayed", "true");
    return response;
}

}  // namespace millrace::rest
