#include "api/grpc/millrace/message_shape.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/timestamp.pb.h>
#include <millrace/v1/rest.pb.h>

#include <algorithm>

#include "base/check.hpp"

namespace millrace::rpc {

namespace {

using wire::FieldDescriptor;

FieldKind kind_of(const FieldDescriptor& field) {
    switch (field.type()) {
        case FieldDescriptor::TYPE_STRING: return FieldKind::text;
        case FieldDescriptor::TYPE_BOOL: return FieldKind::flag;
        case FieldDescriptor::TYPE_INT32: return FieldKind::int32;
        case FieldDescriptor::TYPE_INT64: return FieldKind::int64;
        case FieldDescriptor::TYPE_DOUBLE: return FieldKind::number;
        case FieldDescriptor::TYPE_ENUM: return FieldKind::word;
        case FieldDescriptor::TYPE_BYTES:
            return field.options().GetExtension(v1::json) ? FieldKind::json : FieldKind::blob;
        case FieldDescriptor::TYPE_MESSAGE:
            return field.message_type() == wire::Timestamp::descriptor() ? FieldKind::time
                                                                         : FieldKind::message;
        default: break;
    }
    const bool has_form_in_json = false;
    MILLRACE_CHECK(has_form_in_json);
    return FieldKind::text;
}

// `InstanceStatus` -> `INSTANCE_STATUS_`: what the names of its values begin with.
std::string prefix_of(const wire::EnumDescriptor& descriptor) {
    std::string prefix;
    for (const char c : descriptor.name()) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper && !prefix.empty()) prefix += '_';
        prefix += is_upper ? c : static_cast<char>(c - 'a' + 'A');
    }
    return prefix + '_';
}

}  // namespace

const std::string* Words::find(int number) const {
    const auto at = std::ranges::find(values, number, &std::pair<int, std::string>::first);
    return at == values.end() ? nullptr : &at->second;
}

std::optional<int> Words::find(std::string_view word) const {
    const auto at = std::ranges::find(values, word, &std::pair<int, std::string>::second);
    if (at == values.end()) return std::nullopt;
    return at->first;
}

const FieldShape* MessageShape::find(std::string_view name) const {
    const auto at = std::ranges::find(fields, name, &FieldShape::name);
    return at == fields.end() ? nullptr : &*at;
}

const FieldShape* MessageShape::find_either(std::string_view name) const {
    if (const FieldShape* found = find(name)) return found;
    const auto at = std::ranges::find_if(
        fields, [name](const FieldShape& each) { return each.field->name() == name; });
    return at == fields.end() ? nullptr : &*at;
}

MessageShape MessageShape::without(const FieldShape* field) const {
    MessageShape rest;
    for (const FieldShape& each : fields) {
        if (field == nullptr || each.field != field->field) rest.fields.push_back(each);
    }
    return rest;
}

const MessageShape& Shapes::of(const wire::Descriptor& descriptor) {
    auto& shape = shapes_[&descriptor];
    if (shape != nullptr) {
        // Empty only while it is being filled: a message inside itself would nest without end.
        MILLRACE_CHECK(shape->fields.size() == static_cast<std::size_t>(descriptor.field_count()));
        return *shape;
    }
    shape = std::make_unique<MessageShape>();
    std::vector<FieldShape> fields;
    for (int i = 0; i < descriptor.field_count(); ++i) {
        fields.push_back(field_of(*descriptor.field(i)));
    }
    MessageShape& filled = *shapes_.at(&descriptor);
    filled.fields = std::move(fields);
    return filled;
}

const Words& Shapes::words_of(const wire::EnumDescriptor& descriptor) {
    auto& words = words_[&descriptor];
    if (words != nullptr) return *words;
    words = std::make_unique<Words>();
    const std::string prefix = prefix_of(descriptor);
    for (int i = 0; i < descriptor.value_count(); ++i) {
        const wire::EnumValueDescriptor& value = *descriptor.value(i);
        MILLRACE_CHECK(value.name().starts_with(prefix));
        if (value.number() == 0) continue;
        std::string word = value.options().GetExtension(v1::word);
        if (word.empty()) word = value.name().substr(prefix.size());
        words->values.emplace_back(value.number(), std::move(word));
    }
    return *words;
}

FieldShape Shapes::field_of(const wire::FieldDescriptor& field) {
    MILLRACE_CHECK(!field.is_map());
    FieldShape shape{
        .field = &field,
        .name = field.json_name(),
        .kind = kind_of(field),
        .is_list = field.is_repeated(),
        .is_nullable = field.options().GetExtension(v1::nullable),
        .is_list_of_nulls = field.options().GetExtension(v1::nulls),
    };
    if (shape.kind == FieldKind::word) shape.words = &words_of(*field.enum_type());
    if (shape.kind == FieldKind::message) shape.message = &of(*field.message_type());
    return shape;
}

}  // namespace millrace::rpc
