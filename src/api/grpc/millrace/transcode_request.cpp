#include "api/grpc/millrace/transcode_request.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/timestamp.pb.h>

#include <chrono>
#include <cmath>

#include "api/grpc/millrace/read_message.hpp"
#include "base/json/parse.hpp"
#include "base/json/write.hpp"
#include "base/text.hpp"
#include "base/time_text.hpp"

namespace millrace::rpc {

namespace {

// One value of a field: of a list the one at an index, else the field's own.
class FieldValue {
public:
    FieldValue(const wire::Message& message, const FieldShape& shape, int index)
        : message_(message), shape_(shape), index_(index) {}

    const FieldShape& shape() const { return shape_; }

    const std::string& text() const {
        return shape_.is_list ? reflection().GetRepeatedStringReference(message_, shape_.field,
                                                                        index_, &scratch_)
                              : reflection().GetStringReference(message_, shape_.field, &scratch_);
    }
    bool flag() const {
        return shape_.is_list ? reflection().GetRepeatedBool(message_, shape_.field, index_)
                              : reflection().GetBool(message_, shape_.field);
    }
    std::int64_t integer() const {
        if (shape_.kind == FieldKind::int32) {
            return shape_.is_list ? reflection().GetRepeatedInt32(message_, shape_.field, index_)
                                  : reflection().GetInt32(message_, shape_.field);
        }
        return shape_.is_list ? reflection().GetRepeatedInt64(message_, shape_.field, index_)
                              : reflection().GetInt64(message_, shape_.field);
    }
    double number() const {
        return shape_.is_list ? reflection().GetRepeatedDouble(message_, shape_.field, index_)
                              : reflection().GetDouble(message_, shape_.field);
    }
    int enum_number() const {
        return shape_.is_list ? reflection().GetRepeatedEnumValue(message_, shape_.field, index_)
                              : reflection().GetEnumValue(message_, shape_.field);
    }
    const wire::Message& message() const {
        return shape_.is_list ? reflection().GetRepeatedMessage(message_, shape_.field, index_)
                              : reflection().GetMessage(message_, shape_.field);
    }

private:
    const wire::Reflection& reflection() const { return *message_.GetReflection(); }

    const wire::Message& message_;
    const FieldShape& shape_;
    int index_;
    mutable std::string scratch_{};
};

// The years that both RFC 3339 and Timestamp have: 0001 to 9999.
constexpr std::int64_t kFirstSecond = -62'135'596'800;
constexpr std::int64_t kLastSecond = 253'402'300'799;
constexpr std::int32_t kNanosEnd = 1'000'000'000;

// Microseconds are what the engine keeps: what is finer is cut off.
std::optional<Fault> append_timestamp(std::string& out, const wire::Message& message) {
    const auto& time = static_cast<const wire::Timestamp&>(message);
    if (time.seconds() < kFirstSecond || time.seconds() > kLastSecond || time.nanos() < 0 ||
        time.nanos() >= kNanosEnd) {
        return Fault{"", "must be a time of the years 1 to 9999"};
    }
    append_time_text(out, Instant{std::chrono::seconds{time.seconds()} +
                                  std::chrono::microseconds{time.nanos() / 1'000}});
    return std::nullopt;
}

std::optional<Fault> append_word(std::string& out, const FieldValue& value) {
    const int number = value.enum_number();
    const std::string* word = value.shape().words->find(number);
    if (word == nullptr) {
        const std::string name = value.shape().field->enum_type()->name();
        return Fault{
            "", "must be a " + name + ", but there is none of number " + std::to_string(number)};
    }
    out += *word;
    return std::nullopt;
}

std::optional<Fault> append_value(std::string& out, const FieldValue& value, Unknown unknown) {
    switch (value.shape().kind) {
        case FieldKind::text: json::append_string(out, value.text()); return std::nullopt;
        case FieldKind::flag: out += value.flag() ? "true" : "false"; return std::nullopt;
        case FieldKind::int32:
        case FieldKind::int64: json::append_integer(out, value.integer()); return std::nullopt;
        case FieldKind::number:
            if (!std::isfinite(value.number())) return Fault{"", "must be a finite number"};
            json::append_number(out, value.number());
            return std::nullopt;
        case FieldKind::time:
        case FieldKind::word: {
            out += '"';
            auto fault = value.shape().kind == FieldKind::time
                             ? append_timestamp(out, value.message())
                             : append_word(out, value);
            out += '"';
            return fault;
        }
        case FieldKind::json: {
            if (auto fault = json_fault(value.text())) return fault;
            out += value.text();
            return std::nullopt;
        }
        case FieldKind::message:
            return append_object(out, value.message(), *value.shape().message, unknown);
        case FieldKind::blob: break;
    }
    return Fault{"", "has no form in JSON"};
}

bool is_set(const wire::Message& message, const FieldShape& field) {
    const wire::Reflection& reflection = *message.GetReflection();
    return field.is_list ? reflection.FieldSize(message, field.field) > 0
                         : reflection.HasField(message, field.field);
}

void append_name(std::string& out, std::string_view name) {
    if (out.back() != '{') out += ',';
    out.append(1, '"').append(name).append("\":");
}

// Names of fields that are sent as null, each once and not beside a value of its own.
std::optional<Fault> append_nulls(std::string& out, const wire::Message& message,
                                  const MessageShape& shape, const FieldShape& list) {
    const int count = message.GetReflection()->FieldSize(message, list.field);
    std::vector<const FieldShape*> seen;
    for (int i = 0; i < count; ++i) {
        const std::string& name = FieldValue(message, list, i).text();
        const FieldShape* field = shape.find_either(name);
        if (field == nullptr || !field->is_nullable) {
            return Fault{item_name("", i), "must name a field that can be cleared"};
        }
        if (is_set(message, *field)) {
            return Fault{item_name("", i), "must not name a field that is set"};
        }
        if (std::ranges::find(seen, field) != seen.end()) {
            return Fault{item_name("", i), "must not name a field twice"};
        }
        seen.push_back(field);
        append_name(out, field->name);
        out += "null";
    }
    return std::nullopt;
}

std::optional<Fault> append_list(std::string& out, const wire::Message& message,
                                 const FieldShape& field, Unknown unknown) {
    const int count = message.GetReflection()->FieldSize(message, field.field);
    out += '[';
    for (int i = 0; i < count; ++i) {
        if (i > 0) out += ',';
        if (auto fault = append_value(out, FieldValue(message, field, i), unknown)) {
            return inside(item_name("", i), std::move(*fault));
        }
    }
    out += ']';
    return std::nullopt;
}

std::optional<Fault> append_field(std::string& out, const wire::Message& message,
                                  const MessageShape& shape, const FieldShape& field,
                                  Unknown unknown) {
    if (field.is_list_of_nulls) return append_nulls(out, message, shape, field);
    append_name(out, field.name);
    if (field.is_list) return append_list(out, message, field, unknown);
    return append_value(out, FieldValue(message, field, 0), unknown);
}

// In a query texts are bare and lists are joined by commas: there are only lists of words.
std::optional<Fault> append_query_value(std::string& out, const FieldValue& value) {
    std::string text;
    std::optional<Fault> fault;
    switch (value.shape().kind) {
        case FieldKind::text: text = value.text(); break;
        case FieldKind::word: fault = append_word(text, value); break;
        case FieldKind::time: fault = append_timestamp(text, value.message()); break;
        default: fault = append_value(text, value, Unknown::refused); break;
    }
    append_percent_encoded(out, text);
    return fault;
}

}  // namespace

std::optional<Fault> append_object(std::string& out, const wire::Message& message,
                                   const MessageShape& shape, Unknown unknown) {
    if (unknown == Unknown::refused) {
        if (auto fault = unknown_field_in(message)) return fault;
    }
    out += '{';
    for (const FieldShape& field : shape.fields) {
        if (!is_set(message, field)) continue;
        if (auto fault = append_field(out, message, shape, field, unknown)) {
            return inside(field.name, std::move(*fault));
        }
    }
    out += '}';
    return std::nullopt;
}

std::optional<Fault> append_query(std::string& out, const wire::Message& message,
                                  const MessageShape& shape) {
    for (const FieldShape& field : shape.fields) {
        if (!is_set(message, field)) continue;
        if (!out.empty()) out += '&';
        out.append(field.name).append(1, '=');
        const int count =
            field.is_list ? message.GetReflection()->FieldSize(message, field.field) : 1;
        for (int i = 0; i < count; ++i) {
            if (i > 0) out += ',';
            if (auto fault = append_query_value(out, FieldValue(message, field, i))) {
                return inside(field.is_list ? item_name(field.name, i) : field.name,
                              std::move(*fault));
            }
        }
    }
    return std::nullopt;
}

bool can_be_query(const FieldShape& field) {
    if (field.is_list) return field.kind == FieldKind::word;
    return field.kind != FieldKind::json && field.kind != FieldKind::message &&
           field.kind != FieldKind::blob;
}

std::string path_text(const wire::Message& message, const FieldShape& field) {
    if (!is_set(message, field)) return {};
    const FieldValue value(message, field, 0);
    return field.kind == FieldKind::text ? value.text() : std::to_string(value.integer());
}

void append_percent_encoded(std::string& out, std::string_view text) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    for (const char c : text) {
        const bool is_plain = is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                              std::string_view("-._~").find(c) != std::string_view::npos;
        if (is_plain) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out.append(1, '%').append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
    }
}

std::optional<Fault> json_fault(std::string_view text) {
    const Result<json::Value> value = json::parse(text);
    if (value) return std::nullopt;
    return Fault{"", "must be JSON: " + value.error().detail};
}

}  // namespace millrace::rpc
