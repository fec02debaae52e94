#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::observe::otlp {

// Appends fields of a protobuf message (https://protobuf.dev/programming-guides/encoding/) to a
// text. A message inside of another is written first, as a text of its own.
class ProtobufWriter {
public:
    void varint(std::uint32_t field, std::uint64_t number);
    void fixed64(std::uint32_t field, std::uint64_t number);
    // A string, bytes or another message.
    void bytes(std::uint32_t field, std::string_view bytes);

    const std::string& text() const { return text_; }
    std::string take() && { return std::move(text_); }

private:
    void key(std::uint32_t field, std::uint32_t wire_type);
    void raw_varint(std::uint64_t number);

    std::string text_{};
};

}  // namespace millrace::observe::otlp
