#pragma once

#include <string_view>

#include "api/access/client_certificates.hpp"
#include "api/access/failed_attempts.hpp"
#include "api/access/key_cache.hpp"
#include "api/http/gate.hpp"
#include "core/access/key_text.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

namespace millrace::access {

// The one answer to whatever is wrong with a key.
http::HttpResponse unauthenticated_response(std::string_view request_id);

// Lets those in who send an API key that is good and whose role may do what they ask for; and those
// who send none, but have shown a certificate that stands for somebody.
//
// Whatever is wrong with a key, the answer is the same and takes as long. An address with too many
// failures is only listened to when it names a key that the cache has seen: a program with an old
// key does not lock out its neighbours behind the same address, and nobody can make the store look
// for made-up ids. Guessing a secret is hopeless at any speed.
class KeyGate final : public http::Gate {
public:
    KeyGate(KeyCache& keys, const Clock& clock, observe::Metrics& metrics, observe::Log& log,
            ClientCertificates certificates = {})
        : keys_(keys),
          certificates_(std::move(certificates)),
          clock_(clock),
          metrics_(metrics),
          log_(log) {}

    void admit(http::HttpRequest request, Access access, const http::Responder& respond,
               Pass pass) override;

private:
    void judge_certificate(http::HttpRequest request, Access access, const http::Responder& respond,
                           const Pass& pass);
    void judge(http::HttpRequest request, Access access, const http::Responder& respond,
               const Pass& pass, const KeyText& sent, const KnownKeyPtr& known);
    // `key_id` is empty unless the key exists.
    void refuse(const http::HttpRequest& request, const http::Responder& respond,
                std::string_view reason, std::string_view key_id = {});
    void refuse_certificate(const http::HttpRequest& request, const http::Responder& respond);
    void answer_too_many(const http::Responder& respond, Duration wait) const;

    static void pass_if_allowed(http::HttpRequest request, Access access,
                                const http::Responder& respond, const Pass& pass,
                                std::shared_ptr<const Principal> principal);

    KeyCache& keys_;
    const ClientCertificates certificates_;
    const Clock& clock_;
    observe::Metrics& metrics_;
    observe::Log& log_;
    FailedAttempts failed_attempts_;
    FailedAttempts told_certificates_;  // So that no client fills the log.
};

}  // namespace millrace::access
