#include "api/grpc/message_values.hpp"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace millrace::rpc {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Deeper than either package lets the parser go.
constexpr int kWalkDepthMax = 400;

enum WireType : std::uint32_t {
    varint = 0,
    fixed64 = 1,
    bytes_of_length = 2,
    group_begins = 3,
    group_ends = 4,
    fixed32 = 5
};

WireType type_of(const FieldDescriptor& field) {
    switch (field.type()) {
        case FieldDescriptor::TYPE_STRING:
        case FieldDescriptor::TYPE_BYTES:
        case FieldDescriptor::TYPE_MESSAGE: return bytes_of_length;
        case FieldDescriptor::TYPE_DOUBLE:
        case FieldDescriptor::TYPE_FIXED64:
        case FieldDescriptor::TYPE_SFIXED64: return fixed64;
        case FieldDescriptor::TYPE_FLOAT:
        case FieldDescriptor::TYPE_FIXED32:
        case FieldDescriptor::TYPE_SFIXED32: return fixed32;
        default: return varint;
    }
}

std::size_t bytes_min(WireType type) {
    return type == fixed64 ? 8 : type == fixed32 ? 4 : 1;
}

class Walk {
public:
    explicit Walk(std::size_t max) : max_(max) {}

    std::size_t values() const { return values_; }

    // False when there is nothing more to be counted: too many, or no message.
    bool through(std::string_view bytes, const Descriptor& message, int depth) {
        if (depth > kWalkDepthMax) return false;
        int groups = 0;  // We have none, so all inside of one is unknown.
        while (!bytes.empty()) {
            const std::optional<std::uint64_t> tag = take_varint(bytes);
            if (!tag || *tag > UINT32_MAX) return false;
            const auto type = static_cast<std::uint32_t>(*tag & 7);
            const FieldDescriptor* field =
                groups > 0 ? nullptr : message.FindFieldByNumber(static_cast<int>(*tag >> 3));
            if (type == group_begins) ++groups;
            if (type == group_ends && --groups < 0) return false;
            const std::optional<std::string_view> content = take_content(bytes, type);
            if (!content || !count(field, type, *content)) return false;
            if (field != nullptr && type == bytes_of_length && field->message_type() != nullptr &&
                !through(*content, *field->message_type(), depth + 1)) {
                return false;
            }
        }
        return groups == 0;
    }

private:
    static std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 10); ++i) {
            const auto byte = static_cast<unsigned char>(bytes[i]);
            value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
            if (byte < 0x80) {
                bytes.remove_prefix(i + 1);
                return value;
            }
        }
        return std::nullopt;
    }

    static std::optional<std::string_view> take_content(std::string_view& bytes,
                                                        std::uint32_t type) {
        std::uint64_t size = 0;
        switch (type) {
            case varint:
                if (!take_varint(bytes)) return std::nullopt;
                break;
            case fixed64: size = 8; break;
            case bytes_of_length: {
                const auto length = take_varint(bytes);
                if (!length) return std::nullopt;
                size = *length;
                break;
            }
            case group_begins:
            case group_ends: break;
            case fixed32: size = 4; break;
            default: return std::nullopt;
        }
        if (size > bytes.size()) return std::nullopt;
        const std::string_view content = bytes.substr(0, size);
        bytes.remove_prefix(size);
        return content;
    }

    // A field that is there once takes its room in its message, however often it comes. One that
    // comes as another type is unknown.
    bool count(const FieldDescriptor* field, std::uint32_t type, std::string_view content) {
        const bool is_packed = field != nullptr && field->is_packable() && type == bytes_of_length;
        const bool is_known = field != nullptr && (is_packed || type == type_of(*field));
        if (is_packed) {
            values_ += content.size() / bytes_min(type_of(*field));
        } else if (!is_known || field->is_repeated()) {
            values_ += 1;
        }
        return values_ <= max_;
    }

    const std::size_t max_;
    std::size_t values_ = 0;
};

}  // namespace

std::size_t values_in(std::string_view bytes, const Descriptor& message, std::size_t max) {
    Walk walk(max);
    (void)walk.through(bytes, message, 0);
    return walk.values();
}

}  // namespace millrace::rpc
