#pragma once

#include <string_view>

#include "api/access/lru_map.hpp"
#include "base/mutex.hpp"
#include "base/time.hpp"

namespace millrace::access {

// Counts the failed attempts of each address: so many in a row, then one for each that time
// forgives. Addresses of one IPv6 network (/64) are one, because whoever has one has all.
// Thread-safe.
class FailedAttempts {
public:
    FailedAttempts();

    // How long the address has to wait before its next attempt; zero when it may at once.
    Duration wait_of(std::string_view address, Instant now);

    void note(std::string_view address, Instant now);

private:
    Mutex mutex_;
    // When all failures of an address will be forgiven.
    LruMap<Instant> forgiven_at_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::access
