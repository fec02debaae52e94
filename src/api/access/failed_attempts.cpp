#include "api/access/failed_attempts.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <string>

#include "core/limits.hpp"

namespace millrace::access {

namespace {

namespace ip = boost::asio::ip;

constexpr Duration kPatience = limits::kAuthFailuresMax * limits::kAuthFailureForgiven;

std::string network_of(std::string_view address) {
    boost::system::error_code error;
    const ip::address parsed = ip::make_address(std::string(address), error);
    if (error || parsed.is_v4()) return std::string(address);
    ip::address_v6 whole = parsed.to_v6();
    if (whole.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, whole).to_string();
    ip::address_v6::bytes_type bytes = whole.to_bytes();
    std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
    return ip::address_v6(bytes).to_string();
}

}  // namespace

FailedAttempts::FailedAttempts() : forgiven_at_(limits::kAuthAddressesMax) {}

Duration FailedAttempts::wait_of(std::string_view address, Instant now) {
    const MutexLock lock(mutex_);
    if (forgiven_at_.size() == 0) return Duration::zero();  // As it is nearly always.
    const Instant* forgiven_at = forgiven_at_.find(network_of(address));
    if (forgiven_at == nullptr) return Duration::zero();
    // Never longer than what may be counted, even when the clock was set back.
    const Duration owed = std::min(*forgiven_at - now, kPatience);
    return std::max(owed + limits::kAuthFailureForgiven - kPatience, Duration::zero());
}

void FailedAttempts::note(std::string_view address, Instant now) {
    const std::string network = network_of(address);
    const MutexLock lock(mutex_);
    const Instant* known = forgiven_at_.find(network);
    const Instant begin = known == nullptr ? now : std::max(*known, now);
    forgiven_at_.put(network, std::min(begin + limits::kAuthFailureForgiven, now + kPatience));
}

}  // namespace millrace::access
