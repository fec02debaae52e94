#include "idempotency.hpp"

#include <random>

namespace millrace::client {

std::string fresh_idempotency_key() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device dice;  // Of the system: it does not repeat itself after a fork.
    std::string key;
    for (int i = 0; i < 4; ++i) {
        unsigned bits = dice();
        for (int digit = 0; digit < 8; ++digit, bits >>= 4) key += kDigits[bits & 15];
    }
    return key;
}

Request with_idempotency_key(Request request, std::string_view key) {
    request.headers.push_back(
        {"Idempotency-Key", key.empty() ? fresh_idempotency_key() : std::string(key)});
    request.repeatable = true;
    return request;
}

}  // namespace millrace::client
