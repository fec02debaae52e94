#pragma once

#include <cstdint>
#include <memory>

#include "api/http/tls_context.hpp"
#include "base/clock.hpp"
#include "observe/log.hpp"

namespace millrace::http {

// The certificate of a server, read again when its files change, as they do when it is renewed. One
// that cannot be used leaves the one before in place, with a warning. Belongs to the thread that
// accepts connections.
class TlsCertificate {
public:
    TlsCertificate(TlsConfig config, observe::Log& log, const Clock& clock);

    // invalid_argument as of TlsContext::load.
    Status load();

    // For a new connection; load() has succeeded before.
    std::shared_ptr<const TlsContext> current();

private:
    // What changes when a file is written or another one takes its name.
    struct Version {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t seconds = 0;
        std::int64_t nanoseconds = 0;
        std::int64_t bytes = 0;

        bool operator==(const Version&) const = default;
    };
    struct Versions {
        Version certificate{};
        Version key{};
        Version client_ca{};

        bool operator==(const Versions&) const = default;
    };

    static Version version_of(const std::string& file);
    Versions versions() const;

    const TlsConfig config_;
    observe::Log& log_;
    const Clock& clock_;
    Instant checked_at_{};
    Versions tried_{};  // Also when they could not be used: they are not tried again.
    std::shared_ptr<const TlsContext> current_{};
};

}  // namespace millrace::http
