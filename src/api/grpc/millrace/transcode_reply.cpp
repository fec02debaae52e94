#include "api/grpc/millrace/transcode_reply.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/timestamp.pb.h>

#include <chrono>
#include <limits>

#include "api/grpc/millrace/json_text.hpp"
#include "base/json/parse.hpp"
#include "core/expression/time_value.hpp"
#include "core/expression/utf8.hpp"

namespace millrace::rpc {

namespace {

std::optional<Fault> read_members(JsonText& text, wire::Message& message,
                                  const MessageShape& shape);

// Where values of a field go: of a list one behind the other.
class FieldSink {
public:
    FieldSink(wire::Message& message, const FieldShape& shape) : message_(message), shape_(shape) {}

    const FieldShape& shape() const { return shape_; }

    void put(std::string text) {
        shape_.is_list ? reflection().AddString(&message_, shape_.field, std::move(text))
                       : reflection().SetString(&message_, shape_.field, std::move(text));
    }
    void put(bool flag) {
        shape_.is_list ? reflection().AddBool(&message_, shape_.field, flag)
                       : reflection().SetBool(&message_, shape_.field, flag);
    }
    void put(std::int32_t number) {
        shape_.is_list ? reflection().AddInt32(&message_, shape_.field, number)
                       : reflection().SetInt32(&message_, shape_.field, number);
    }
    void put(std::int64_t number) {
        shape_.is_list ? reflection().AddInt64(&message_, shape_.field, number)
                       : reflection().SetInt64(&message_, shape_.field, number);
    }
    void put(double number) {
        shape_.is_list ? reflection().AddDouble(&message_, shape_.field, number)
                       : reflection().SetDouble(&message_, shape_.field, number);
    }
    void put_enum(int number) {
        shape_.is_list ? reflection().AddEnumValue(&message_, shape_.field, number)
                       : reflection().SetEnumValue(&message_, shape_.field, number);
    }
    wire::Message& message() {
        return shape_.is_list ? *reflection().AddMessage(&message_, shape_.field)
                              : *reflection().MutableMessage(&message_, shape_.field);
    }

private:
    const wire::Reflection& reflection() const { return *message_.GetReflection(); }

    wire::Message& message_;
    const FieldShape& shape_;
};

// A serialised text that is no UTF-8 could not be read by anybody.
std::optional<Fault> put_text(FieldSink& sink, std::string_view json) {
    std::optional<std::string> text = string_in(json);
    if (!text || !expression::utf8::is_valid(*text)) return Fault{"", "is no text"};
    sink.put(std::move(*text));
    return std::nullopt;
}

std::optional<Fault> put_time(FieldSink& sink, std::string_view json) {
    const std::optional<std::string> text = string_in(json);
    const auto time = text ? std::optional(expression::parse_time(*text)) : std::nullopt;
    if (!time || !*time) return Fault{"", "is no time"};
    const auto at = std::chrono::floor<Duration>((*time)->at);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at);
    auto& stamp = static_cast<wire::Timestamp&>(sink.message());
    stamp.set_seconds(seconds.time_since_epoch().count());
    stamp.set_nanos(static_cast<std::int32_t>(Duration(at - seconds).count() * 1'000));
    return std::nullopt;
}

std::optional<Fault> put_number(FieldSink& sink, std::string_view json) {
    const Result<json::Value> value = json::parse(json);
    const std::int64_t* integer = value ? value->if_integer() : nullptr;
    const double* number = value ? value->if_number() : nullptr;
    if (sink.shape().kind == FieldKind::number) {
        if (integer == nullptr && number == nullptr) return Fault{"", "is no number"};
        sink.put(integer != nullptr ? static_cast<double>(*integer) : *number);
        return std::nullopt;
    }
    if (integer == nullptr) return Fault{"", "is no integer"};
    if (sink.shape().kind == FieldKind::int64) {
        sink.put(*integer);
        return std::nullopt;
    }
    using Int32 = std::numeric_limits<std::int32_t>;
    if (*integer < Int32::min() || *integer > Int32::max()) return Fault{"", "is too large"};
    sink.put(static_cast<std::int32_t>(*integer));
    return std::nullopt;
}

std::optional<Fault> put_word(FieldSink& sink, std::string_view json) {
    const std::optional<std::string> text = string_in(json);
    if (!text) return Fault{"", "is no text"};
    if (const auto number = sink.shape().words->find(*text)) sink.put_enum(*number);
    return std::nullopt;
}

std::optional<Fault> put_flag(FieldSink& sink, std::string_view json) {
    if (json != "true" && json != "false") return Fault{"", "is neither true nor false"};
    sink.put(json == "true");
    return std::nullopt;
}

std::optional<Fault> put_value(FieldSink& sink, JsonText& text) {
    if (sink.shape().kind == FieldKind::message) {
        if (text.peek() != '{') return Fault{"", "is no object"};
        return read_members(text, sink.message(), *sink.shape().message);
    }
    const std::optional<std::string_view> json = text.take();
    if (!json) return Fault{"", "is no JSON"};
    switch (sink.shape().kind) {
        case FieldKind::text: return put_text(sink, *json);
        case FieldKind::flag: return put_flag(sink, *json);
        case FieldKind::int32:
        case FieldKind::int64:
        case FieldKind::number: return put_number(sink, *json);
        case FieldKind::time: return put_time(sink, *json);
        case FieldKind::word: return put_word(sink, *json);
        case FieldKind::json: sink.put(std::string(*json)); return std::nullopt;
        case FieldKind::message:
        case FieldKind::blob: break;
    }
    return Fault{"", "has no form in JSON"};
}

std::optional<Fault> put_list(FieldSink& sink, JsonText& text) {
    if (!text.enter('[')) return Fault{"", "is no array"};
    for (int i = 0; text.next_item(); ++i) {
        if (auto fault = put_value(sink, text)) return inside(item_name("", i), std::move(*fault));
    }
    return std::nullopt;
}

std::optional<Fault> put_field(FieldSink sink, JsonText& text) {
    // A value of its own only where any JSON is one.
    if (text.peek() == 'n' && sink.shape().kind != FieldKind::json) {
        text.take();
        return std::nullopt;
    }
    return sink.shape().is_list ? put_list(sink, text) : put_value(sink, text);
}

std::optional<Fault> read_members(JsonText& text, wire::Message& message,
                                  const MessageShape& shape) {
    if (!text.enter('{')) return Fault{"", "is no object"};
    std::string name;
    while (text.next_member(name)) {
        const FieldShape* field = shape.find(name);
        if (field == nullptr) {
            if (!text.take()) break;
        } else if (auto fault = put_field(FieldSink(message, *field), text)) {
            return inside(field->name, std::move(*fault));
        }
    }
    if (text.has_failed()) return Fault{"", "is no JSON"};
    return std::nullopt;
}

}  // namespace

std::optional<Fault> read_object(std::string_view json, wire::Message& message,
                                 const MessageShape& shape) {
    JsonText text(json);
    if (auto fault = read_members(text, message, shape)) return fault;
    if (text.peek() != '\0') return Fault{"", "is more than one value"};
    return std::nullopt;
}

}  // namespace millrace::rpc
