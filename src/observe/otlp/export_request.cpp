#include "observe/otlp/export_request.hpp"

#include "observe/otlp/protobuf_writer.hpp"

namespace millrace::observe::otlp {

namespace {

// Field numbers of opentelemetry/proto/trace/v1/trace.proto and what it includes.
namespace field {
constexpr std::uint32_t kRequestResourceSpans = 1;
constexpr std::uint32_t kResourceSpansResource = 1;
constexpr std::uint32_t kResourceSpansScopeSpans = 2;
constexpr std::uint32_t kResourceAttributes = 1;
constexpr std::uint32_t kScopeSpansScope = 1;
constexpr std::uint32_t kScopeSpansSpans = 2;
constexpr std::uint32_t kScopeName = 1;
constexpr std::uint32_t kSpanTraceId = 1;
constexpr std::uint32_t kSpanSpanId = 2;
constexpr std::uint32_t kSpanParentSpanId = 4;
constexpr std::uint32_t kSpanName = 5;
constexpr std::uint32_t kSpanKind = 6;
constexpr std::uint32_t kSpanStart = 7;
constexpr std::uint32_t kSpanEnd = 8;
constexpr std::uint32_t kSpanAttributes = 9;
constexpr std::uint32_t kSpanLinks = 13;
constexpr std::uint32_t kSpanStatus = 15;
constexpr std::uint32_t kLinkTraceId = 1;
constexpr std::uint32_t kLinkSpanId = 2;
constexpr std::uint32_t kStatusMessage = 2;
constexpr std::uint32_t kStatusCode = 3;
constexpr std::uint32_t kKeyValueKey = 1;
constexpr std::uint32_t kKeyValueValue = 2;
constexpr std::uint32_t kValueString = 1;
constexpr std::uint32_t kValueBool = 2;
constexpr std::uint32_t kValueInt = 3;
}  // namespace field

// Ids are big-endian bytes.
void append_id(std::string& out, std::uint64_t id) {
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(id >> shift & 0xFF);
}

std::string trace_id_bytes(const TraceContext& context) {
    std::string bytes;
    append_id(bytes, context.trace_id_high);
    append_id(bytes, context.trace_id_low);
    return bytes;
}

std::string span_id_bytes(std::uint64_t span_id) {
    std::string bytes;
    append_id(bytes, span_id);
    return bytes;
}

std::uint64_t nanoseconds_of(Instant at) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count());
}

struct ValueWriter {
    void operator()(const std::string& text) { out.bytes(field::kValueString, text); }
    void operator()(std::int64_t number) {
        out.varint(field::kValueInt, static_cast<std::uint64_t>(number));
    }
    void operator()(bool is) { out.varint(field::kValueBool, is ? 1 : 0); }

    ProtobufWriter& out;
};

std::string key_value(std::string_view name,
                      const std::variant<std::string, std::int64_t, bool>& value) {
    ProtobufWriter any;
    std::visit(ValueWriter{any}, value);
    ProtobufWriter out;
    out.bytes(field::kKeyValueKey, name);
    out.bytes(field::kKeyValueValue, any.text());
    return std::move(out).take();
}

std::string link_of(const TraceContext& context) {
    ProtobufWriter out;
    out.bytes(field::kLinkTraceId, trace_id_bytes(context));
    out.bytes(field::kLinkSpanId, span_id_bytes(context.span_id));
    return std::move(out).take();
}

std::string status_of(const Span& span) {
    ProtobufWriter out;
    // Only an error may have a message.
    if (span.status == SpanStatus::error && !span.status_message.empty()) {
        out.bytes(field::kStatusMessage, span.status_message);
    }
    out.varint(field::kStatusCode, static_cast<std::uint64_t>(span.status));
    return std::move(out).take();
}

std::string span_message(const Span& span) {
    ProtobufWriter out;
    out.bytes(field::kSpanTraceId, trace_id_bytes(span.context));
    out.bytes(field::kSpanSpanId, span_id_bytes(span.context.span_id));
    if (span.parent_span_id != 0) {
        out.bytes(field::kSpanParentSpanId, span_id_bytes(span.parent_span_id));
    }
    out.bytes(field::kSpanName, span.name);
    out.varint(field::kSpanKind, static_cast<std::uint64_t>(span.kind));
    out.fixed64(field::kSpanStart, nanoseconds_of(span.started_at));
    out.fixed64(field::kSpanEnd, nanoseconds_of(span.ended_at));
    for (const SpanAttribute& attribute : span.attributes) {
        out.bytes(field::kSpanAttributes, key_value(attribute.name, attribute.value));
    }
    for (const TraceContext& link : span.links) out.bytes(field::kSpanLinks, link_of(link));
    if (span.status != SpanStatus::unset) out.bytes(field::kSpanStatus, status_of(span));
    return std::move(out).take();
}

}  // namespace

std::string export_request(const Resource& resource, std::span<const Span> spans) {
    ProtobufWriter who;
    for (const auto& [name, value] : resource) {
        who.bytes(field::kResourceAttributes, key_value(name, value));
    }
    ProtobufWriter scope;
    scope.bytes(field::kScopeName, "millrace");
    ProtobufWriter scope_spans;
    scope_spans.bytes(field::kScopeSpansScope, scope.text());
    for (const Span& span : spans) scope_spans.bytes(field::kScopeSpansSpans, span_message(span));

    ProtobufWriter resource_spans;
    resource_spans.bytes(field::kResourceSpansResource, who.text());
    resource_spans.bytes(field::kResourceSpansScopeSpans, scope_spans.text());
    ProtobufWriter request;
    request.bytes(field::kRequestResourceSpans, resource_spans.text());
    return std::move(request).take();
}

}  // namespace millrace::observe::otlp
