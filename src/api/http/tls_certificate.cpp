#include "api/http/tls_certificate.hpp"

#include <sys/stat.h>

#include <utility>

namespace millrace::http {

TlsCertificate::TlsCertificate(TlsConfig config, observe::Log& log, const Clock& clock)
    : config_(std::move(config)), log_(log), clock_(clock) {}

// The versions are noted before the files are read: a change in between is noticed next time.
Status TlsCertificate::load() {
    checked_at_ = clock_.now();
    tried_ = versions();
    auto loaded = TlsContext::load(config_);
    if (!loaded) return loaded.error();
    current_ = std::move(*loaded);
    return ok();
}

std::shared_ptr<const TlsContext> TlsCertificate::current() {
    const Instant now = clock_.now();
    // The clock may have been set back.
    const bool is_due = now - checked_at_ >= config_.check_interval || now < checked_at_;
    if (!is_due) return current_;
    checked_at_ = now;
    if (versions() == tried_) return current_;

    if (const Status loaded = load(); loaded) {
        log_.info("The certificate was read again.", {{"file", config_.certificate_file}});
    } else {
        log_.warn("The certificate has changed, but the new one cannot be used.",
                  {{"what", loaded.error().detail}});
    }
    return current_;
}

TlsCertificate::Version TlsCertificate::version_of(const std::string& file) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) return {};
    return {
        .device = found.st_dev,
        .inode = found.st_ino,
        .seconds = found.st_mtim.tv_sec,
        .nanoseconds = found.st_mtim.tv_nsec,
        .bytes = found.st_size,
    };
}

TlsCertificate::Versions TlsCertificate::versions() const {
    return {.certificate = version_of(config_.certificate_file),
            .key = version_of(config_.key_file),
            .client_ca = version_of(config_.client_ca_file)};
}

}  // namespace millrace::http
