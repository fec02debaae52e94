#include "api/grpc/trailers.hpp"

#include <cstdint>

namespace millrace::rpc {

namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";
constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A sentence may be in any language, a field of a header may not.
std::string percent_encoded_text(std::string_view text) {
    std::string encoded;
    encoded.reserve(text.size());
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte >= 0x20 && byte <= 0x7e && byte != '%') {
            encoded.push_back(each);
        } else {
            encoded.push_back('%');
            encoded.push_back(kHexDigits[byte >> 4]);
            encoded.push_back(kHexDigits[byte & 15]);
        }
    }
    return encoded;
}

// Without padding, as gRPC sends it.
std::string base64(std::string_view bytes) {
    std::string encoded;
    encoded.reserve(bytes.size() / 3 * 4 + 4);
    std::uint32_t kept = 0;
    int bits = 0;
    for (const char each : bytes) {
        kept = (kept << 8) | static_cast<unsigned char>(each);
        for (bits += 8; bits >= 6; bits -= 6)
            encoded.push_back(kBase64Digits[(kept >> (bits - 6)) & 63]);
    }
    if (bits > 0) encoded.push_back(kBase64Digits[(kept << (6 - bits)) & 63]);
    return encoded;
}

}  // namespace

Fields trailers_of(const CallStatus& status, const Fields& notes) {
    Fields fields{{"grpc-status", std::to_string(static_cast<int>(status.code))}};
    if (!status.message.empty()) {
        fields.emplace_back("grpc-message", percent_encoded_text(status.message));
    }
    if (!status.details.empty()) {
        fields.emplace_back("grpc-status-details-bin", base64(status.details));
    }
    fields.insert(fields.end(), notes.begin(), notes.end());
    return fields;
}

}  // namespace millrace::rpc
