#include "api/grpc/millrace/read_message.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

#include "core/expression/utf8.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

// Protobuf says no more than that it could not read a message. Of what it refuses, only text that
// is no UTF-8 has a place that helps the caller. Messages do not contain themselves, so this ends.
std::optional<Fault> bad_text_in(const std::string& bytes, const wire::Descriptor& descriptor) {
    wire::UnknownFieldSet fields;
    if (!fields.ParseFromString(bytes)) return std::nullopt;
    for (int i = 0; i < fields.field_count(); ++i) {
        const wire::UnknownField& each = fields.field(i);
        const wire::FieldDescriptor* field = descriptor.FindFieldByNumber(each.number());
        if (field == nullptr || each.type() != wire::UnknownField::TYPE_LENGTH_DELIMITED) continue;
        if (field->type() == wire::FieldDescriptor::TYPE_STRING &&
            !expression::utf8::is_valid(each.length_delimited())) {
            return Fault{field->json_name(), "must be text in UTF-8"};
        }
        if (field->type() != wire::FieldDescriptor::TYPE_MESSAGE) continue;
        if (auto fault = bad_text_in(each.length_delimited(), *field->message_type())) {
            return inside(field->json_name(), std::move(*fault));
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Fault> read_message(std::string_view bytes, wire::Message& message) {
    if (bytes.size() > limits::kBodyBytesMax) return Fault{"", "is too large"};
    if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
    const wire::Descriptor& descriptor = *message.GetDescriptor();
    if (auto fault = bad_text_in(std::string(bytes), descriptor)) return fault;
    return Fault{"", "is no " + descriptor.full_name()};
}

std::optional<Fault> unknown_field_in(const wire::Message& message) {
    const wire::UnknownFieldSet& unknown = message.GetReflection()->GetUnknownFields(message);
    if (unknown.empty()) return std::nullopt;
    const wire::Descriptor& descriptor = *message.GetDescriptor();
    const int number = unknown.field(0).number();
    if (const wire::FieldDescriptor* field = descriptor.FindFieldByNumber(number)) {
        return Fault{field->json_name(), "has another type in " + descriptor.full_name()};
    }
    return Fault{"", "has a field " + std::to_string(number) +
                         " that this server does not know in " + descriptor.full_name()};
}

}  // namespace millrace::rpc
