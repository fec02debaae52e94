#include "api/access/key_gate.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "api/access/minted_key.hpp"
#include "api/http/error_response.hpp"
#include "base/nearest_word.hpp"

namespace millrace::access {

namespace {

// What follows `Bearer`, whose case does not matter. Empty when it is something else.
std::optional<KeyText> bearer_key(const http::HttpHeaders& headers) {
    constexpr std::string_view kScheme = "Bearer ";
    if (headers.count("Authorization") != 1) return std::nullopt;
    std::string_view value = *headers.find("Authorization");
    if (!http::equal_ignoring_case(value.substr(0, kScheme.size()), kScheme)) return std::nullopt;
    value.remove_prefix(kScheme.size());
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    return parse_key_text(value);
}

// Why the key is of no use; empty when it is good.
std::string_view flaw_of(const KeyText& sent, const KnownKeyPtr& known, Instant now) {
    // Hashes and compares in any case, so that an unknown id takes as long as a wrong secret.
    static constexpr SecretHash kNoHash{};
    const SecretHash sent_hash = hash_of(sent.secret);
    const bool is_right = is_same_hash(sent_hash, known ? known->key.secret_hash : kNoHash);
    if (known == nullptr) return "unknown";
    if (!is_right) return "wrong_secret";
    if (is_good(known->key, now)) return {};
    return known->key.revoked_at ? "revoked" : "expired";
}

constexpr std::string_view kExpected =
    "Expected an API key that is good: Authorization: Bearer mr_<id>_<secret>";

http::HttpResponse refused_with(std::string reason, std::string_view request_id) {
    const Error error{ErrorCode::unauthenticated, std::move(reason)};
    http::HttpResponse response = http::error_response(error, request_id);
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
}

// Fit for a line of the log, however many there are.
std::string shown_names(const std::vector<std::string>& names) {
    constexpr std::size_t kNamesMax = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamesMax); ++i) {
        if (i > 0) text += ", ";
        text += shown_word(names[i]);
    }
    return names.size() > kNamesMax ? text + " and others" : text;
}

}  // namespace

http::HttpResponse unauthenticated_response(std::string_view request_id) {
    return refused_with(std::string(kExpected), request_id);
}

void KeyGate::admit(http::HttpRequest request, Access access, const http::Responder& respond,
                    Pass pass) {
    if (!request.headers.find("Authorization")) {
        if (request.certificate_names != nullptr) {
            return judge_certificate(std::move(request), access, respond, pass);
        }
        // Nothing was tried, so nothing is counted against the address.
        metrics_.auth_failures("missing").add();
        return respond(unauthenticated_response(respond.request_id()));
    }
    const std::optional<KeyText> sent = bearer_key(request.headers);
    const Duration wait = failed_attempts_.wait_of(request.remote_address, clock_.now());
    if (wait > Duration::zero() && (!sent || !keys_.has_seen(sent->id))) {
        if (sent) keys_.see_all_soon();
        metrics_.auth_failures("limited").add();
        return answer_too_many(respond, wait);
    }
    if (!sent) return refuse(request, respond, "malformed");
    auto kept = std::make_shared<http::HttpRequest>(std::move(request));
    keys_.find(sent->id, [this, kept, access, respond, pass = std::move(pass),
                          sent = *sent](const Result<KnownKeyPtr>& known) {
        if (!known) return respond(http::error_response(known.error(), respond.request_id()));
        judge(std::move(*kept), access, respond, pass, sent, *known);
    });
}

void KeyGate::judge(http::HttpRequest request, Access access, const http::Responder& respond,
                    const Pass& pass, const KeyText& sent, const KnownKeyPtr& known) {
    const std::string_view flaw = flaw_of(sent, known, clock_.now());
    if (!flaw.empty()) return refuse(request, respond, flaw, known ? sent.id : "");
    pass_if_allowed(std::move(request), access, respond, pass,
                    std::shared_ptr<const Principal>(known, &known->principal));
}

// It was signed by somebody whom the operator trusts, so nobody guesses here: such failures are
// counted against the address for the lines of the log only.
void KeyGate::judge_certificate(http::HttpRequest request, Access access,
                                const http::Responder& respond, const Pass& pass) {
    auto principal = certificates_.find(*request.certificate_names);
    if (principal == nullptr) {
        return refuse_certificate(request, respond);
    }
    pass_if_allowed(std::move(request), access, respond, pass, std::move(principal));
}

void KeyGate::refuse_certificate(const http::HttpRequest& request, const http::Responder& respond) {
    constexpr std::string_view kReason = "unknown_certificate";
    metrics_.auth_failures(kReason).add();
    const Instant now = clock_.now();
    if (told_certificates_.wait_of(request.remote_address, now) == Duration::zero()) {
        told_certificates_.note(request.remote_address, now);
        log_.warn("Refused a request: its certificate stands for no client.",
                  {{"reason", kReason},
                   {"certificateNames", shown_names(*request.certificate_names)},
                   {"remoteAddress", request.remote_address},
                   {"requestId", respond.request_id()}});
    }
    respond(refused_with(std::string(kExpected) + ", or a certificate of a known client",
                         respond.request_id()));
}

void KeyGate::pass_if_allowed(http::HttpRequest request, Access access,
                              const http::Responder& respond, const Pass& pass,
                              std::shared_ptr<const Principal> principal) {
    if (!may(principal->role, access)) {
        return respond(http::error_response(no_right(*principal), respond.request_id()));
    }
    request.principal = std::move(principal);
    pass(std::move(request));
}

void KeyGate::refuse(const http::HttpRequest& request, const http::Responder& respond,
                     std::string_view reason, std::string_view key_id) {
    metrics_.auth_failures(reason).add();
    const Instant now = clock_.now();
    const Duration wait = failed_attempts_.wait_of(request.remote_address, now);
    if (wait > Duration::zero()) return answer_too_many(respond, wait);
    failed_attempts_.note(request.remote_address, now);

    // At most as often as failures are forgiven, and never what was sent: it may be a good key of
    // somewhere else.
    constexpr std::string_view kSentence = "Refused a request: its API key is not good.";
    if (key_id.empty()) {
        log_.warn(kSentence, {{"reason", reason},
                              {"remoteAddress", request.remote_address},
                              {"requestId", respond.request_id()}});
    } else {
        log_.warn(kSentence, {{"reason", reason},
                              {"keyId", key_id},
                              {"remoteAddress", request.remote_address},
                              {"requestId", respond.request_id()}});
    }
    respond(unauthenticated_response(respond.request_id()));
}

void KeyGate::answer_too_many(const http::Responder& respond, Duration wait) const {
    const Error error{ErrorCode::limit_exceeded,
                      "Too many attempts of this address have failed. Try again later."};
    http::HttpResponse response = http::error_response(error, respond.request_id());
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(wait).count();
    response.headers.emplace_back("Retry-After", std::to_string(seconds));
    respond(std::move(response));
}

}  // namespace millrace::access
