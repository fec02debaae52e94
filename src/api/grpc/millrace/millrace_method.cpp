#include "api/grpc/millrace/millrace_method.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <millrace/v1/rest.pb.h>

#include <algorithm>

#include "api/grpc/millrace/json_text.hpp"
#include "api/grpc/millrace/read_message.hpp"
#include "api/grpc/millrace/reply_streams.hpp"
#include "api/grpc/millrace/transcode_reply.hpp"
#include "base/check.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

const wire::Message& prototype_of(const wire::Descriptor& descriptor) {
    const wire::Message* prototype =
        wire::MessageFactory::generated_factory()->GetPrototype(&descriptor);
    MILLRACE_CHECK(prototype != nullptr);
    return *prototype;
}

const FieldShape* named(const MessageShape& shape, const std::string& name) {
    if (name.empty()) return nullptr;
    const FieldShape* field = shape.find_either(name);
    MILLRACE_CHECK(field != nullptr && field->kind == FieldKind::json);
    return field;
}

Error unreadable(const std::string& method, const Fault& fault) {
    return {ErrorCode::internal,
            "The answer cannot be told as the reply of " + method + ": " + sentence(fault) + "."};
}

bool has_member(std::string_view json, std::string_view wanted) {
    JsonText text(json);
    if (!text.enter('{')) return false;
    std::string name;
    while (text.next_member(name)) {
        if (name == wanted) return true;
        if (!text.take()) return false;
    }
    return false;
}

}  // namespace

MillraceMethod::MillraceMethod(const wire::MethodDescriptor& descriptor,
                               std::shared_ptr<Shapes> shapes)
    : shapes_(std::move(shapes)),
      name_("/" + descriptor.service()->full_name() + "/" + descriptor.name()),
      route_(parse_route(descriptor.options().GetExtension(v1::rest).route())),
      is_stream_(descriptor.server_streaming()),
      unknown_(descriptor.options().GetExtension(v1::rest).ignores_unknown_fields()
                   ? Unknown::ignored
                   : Unknown::refused),
      request_(prototype_of(*descriptor.input_type())),
      reply_(prototype_of(*descriptor.output_type())),
      reply_shape_(&shapes_->of(*descriptor.output_type())) {
    MILLRACE_CHECK(!descriptor.client_streaming());
    const v1::Rest& rest = descriptor.options().GetExtension(v1::rest);
    reply_statuses_.assign(rest.reply_statuses().begin(), rest.reply_statuses().end());

    const MessageShape& shape = shapes_->of(*descriptor.input_type());
    body_ = named(shape, rest.body());
    carried_ = shape.without(body_);
    for (const RouteTemplate::Segment& segment : route_.segments) {
        if (!segment.is_field) continue;
        const FieldShape* field = shape.find_either(segment.text);
        MILLRACE_CHECK(field != nullptr && !field->is_list);
        MILLRACE_CHECK(field->kind == FieldKind::text || field->kind == FieldKind::int32);
        in_path_.push_back(*field);
        carried_ = carried_.without(field);
    }
    MILLRACE_CHECK(route_.has_body() ? body_ == nullptr || carried_.fields.empty()
                                     : std::ranges::all_of(carried_.fields, can_be_query));
    reply_body_ = named(*reply_shape_, rest.reply_body());
    reply_members_ = reply_shape_->without(reply_body_);
}

const wire::Descriptor* MillraceMethod::input() const {
    return request_.GetDescriptor();
}

Result<RestCall> MillraceMethod::to_call(std::string_view bytes) const {
    const std::unique_ptr<wire::Message> request(request_.New());
    if (const auto fault = read_message(bytes, *request)) return refusal(*fault);
    if (unknown_ == Unknown::refused) {
        if (const auto fault = unknown_field_in(*request)) return refusal(*fault);
    }
    Result<std::string> path = path_of(*request);
    if (!path) return path.error();
    RestCall call{.method = route_.method, .path = std::move(*path)};
    if (const auto fault = fill(call, *request)) return refusal(*fault);
    return call;
}

// A client that has not been told to take more than gRPC's 4 MiB would lose the jobs of a larger
// answer until their leases end, poll after poll.
http::ClientTraits MillraceMethod::client() const {
    return {.jobs_bytes_max = limits::kRpcJobsBytesMax, .takes_larger_jobs = true};
}

Result<std::string> MillraceMethod::path_of(const wire::Message& request) const {
    std::vector<std::string> filled;
    std::string path;
    for (const RouteTemplate::Segment& segment : route_.segments) {
        path += '/';
        if (!segment.is_field) {
            path += segment.text;
            continue;
        }
        const FieldShape& field = in_path_[filled.size()];
        std::string text = path_text(request, field);
        if (text.empty()) return refusal({field.name, "must not be empty"});
        append_percent_encoded(path, text);
        filled.push_back(std::move(text));
    }
    for (const RouteTemplate& other : hiding_) {
        if (!route_.is_hidden_by(other, filled)) continue;
        const std::string reason = "There is nothing of this id.";
        return Error{ErrorCode::not_found, reason};
    }
    return path;
}

std::optional<Fault> MillraceMethod::fill(RestCall& call, const wire::Message& request) const {
    if (!route_.has_body()) return append_query(call.query, request, carried_);
    if (body_ == nullptr) return append_object(call.body, request, carried_, unknown_);
    call.body = request.GetReflection()->GetString(request, body_->field);
    if (call.body.empty()) return std::nullopt;
    auto fault = json_fault(call.body);
    return fault ? std::optional(inside(body_->name, std::move(*fault))) : std::nullopt;
}

Result<std::string> MillraceMethod::to_reply(const http::HttpResponse& response) const {
    const std::unique_ptr<wire::Message> reply(reply_.New());
    if (!response.body.empty()) {
        if (const auto fault = read_object(response.body, *reply, reply_members_)) {
            return unreadable(name_, *fault);
        }
    }
    if (reply_body_ != nullptr) {
        reply->GetReflection()->SetString(reply.get(), reply_body_->field, response.body);
    }
    return reply->SerializeAsString();
}

std::unique_ptr<ReplyStream> MillraceMethod::reply_stream() const {
    if (!is_stream_) return nullptr;
    const auto bytes = std::ranges::find(reply_shape_->fields, FieldKind::blob, &FieldShape::kind);
    if (bytes != reply_shape_->fields.end()) return byte_reply_stream(reply_, *bytes);
    return event_reply_stream(reply_, *reply_shape_);
}

bool MillraceMethod::is_reply(const http::HttpResponse& response) const {
    return std::ranges::find(reply_statuses_, response.status) != reply_statuses_.end() &&
           !has_member(response.body, "error");
}

}  // namespace millrace::rpc
