#include "runtime/sha256.hpp"

#include <openssl/evp.h>

#include "base/check.hpp"

namespace millrace::runtime {

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
    std::array<std::uint8_t, 32> digest{};
    unsigned int length = 0;
    const int done =
        EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
    MILLRACE_CHECK(done == 1 && length == digest.size());
    return digest;
}

}  // namespace millrace::runtime
