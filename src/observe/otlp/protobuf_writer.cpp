#include "observe/otlp/protobuf_writer.hpp"

namespace millrace::observe::otlp {

namespace {

constexpr std::uint32_t kVarint = 0;
constexpr std::uint32_t kFixed64 = 1;
constexpr std::uint32_t kLengthDelimited = 2;

}  // namespace

void ProtobufWriter::varint(std::uint32_t field, std::uint64_t number) {
    key(field, kVarint);
    raw_varint(number);
}

void ProtobufWriter::fixed64(std::uint32_t field, std::uint64_t number) {
    key(field, kFixed64);
    for (int shift = 0; shift < 64; shift += 8) text_ += static_cast<char>(number >> shift & 0xFF);
}

void ProtobufWriter::bytes(std::uint32_t field, std::string_view bytes) {
    key(field, kLengthDelimited);
    raw_varint(bytes.size());
    text_ += bytes;
}

void ProtobufWriter::key(std::uint32_t field, std::uint32_t wire_type) {
    raw_varint(field << 3 | wire_type);
}

// Seven bits at a time, the lowest first; the top bit says that more follow.
void ProtobufWriter::raw_varint(std::uint64_t number) {
    while (number >= 0x80) {
        text_ += static_cast<char>((number & 0x7F) | 0x80);
        number >>= 7;
    }
    text_ += static_cast<char>(number);
}

}  // namespace millrace::observe::otlp
