#include "api/grpc/message_reader.hpp"

namespace millrace::rpc {

namespace {

constexpr std::size_t kPrefixBytes = 5;

std::uint32_t length_in(std::string_view prefix) {
    std::uint32_t length = 0;
    for (std::size_t i = 1; i < kPrefixBytes; ++i) {
        length = (length << 8) | static_cast<unsigned char>(prefix[i]);
    }
    return length;
}

}  // namespace

void MessageReader::feed(std::string_view bytes) {
    if (trouble_ != Trouble::none) return;
    if (taken_ == input_.size()) {
        input_.clear();
        taken_ = 0;
    }
    input_ += bytes;
    look();
}

std::optional<std::string> MessageReader::take() {
    const std::optional<std::size_t> bytes = length();
    if (!bytes || trouble_ != Trouble::none || rest().size() < kPrefixBytes + *bytes) {
        return std::nullopt;
    }
    std::string message(rest().substr(kPrefixBytes, *bytes));
    taken_ += kPrefixBytes + *bytes;
    if (is_empty()) {
        std::string().swap(input_);
        taken_ = 0;
    }
    look();
    return message;
}

std::optional<std::size_t> MessageReader::length() const {
    if (rest().size() < kPrefixBytes) return std::nullopt;
    return length_in(rest());
}

void MessageReader::look() {
    if (rest().size() < kPrefixBytes) return;
    if (rest().front() != 0) {
        trouble_ = Trouble::compressed;
    } else if (length_in(rest()) > bytes_max_) {
        trouble_ = Trouble::too_large;
    }
    if (trouble_ != Trouble::none) std::string().swap(input_), taken_ = 0;
}

std::string framed(std::string_view message) {
    std::string bytes;
    bytes.reserve(kPrefixBytes + message.size());
    bytes.push_back('\0');
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.push_back(static_cast<char>((message.size() >> shift) & 0xff));
    }
    bytes += message;
    return bytes;
}

}  // namespace millrace::rpc
