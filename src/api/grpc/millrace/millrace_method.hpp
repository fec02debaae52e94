#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/grpc/method.hpp"
#include "api/grpc/millrace/message_shape.hpp"
#include "api/grpc/millrace/route_template.hpp"
#include "api/grpc/millrace/transcode_request.hpp"

namespace millrace::rpc {

// One rpc of millrace.v1: its request becomes path, query and body of its route, the JSON of the
// answer its reply.
class MillraceMethod final : public Method {
public:
    // The shapes live as long as the method.
    MillraceMethod(const wire::MethodDescriptor& descriptor, std::shared_ptr<Shapes> shapes);

    const RouteTemplate& route() const { return route_; }
    // Routes that the router prefers for some values of the fields in this one's path.
    void set_hiding(std::vector<RouteTemplate> routes) { hiding_ = std::move(routes); }

    const std::string& name() const override { return name_; }
    bool is_server_stream() const override { return is_stream_; }
    const wire::Descriptor* input() const override;
    Result<RestCall> to_call(std::string_view bytes) const override;
    http::ClientTraits client() const override;
    Result<std::string> to_reply(const http::HttpResponse& response) const override;
    std::unique_ptr<ReplyStream> reply_stream() const override;
    bool is_reply(const http::HttpResponse& response) const override;

private:
    Result<std::string> path_of(const wire::Message& request) const;
    std::optional<Fault> fill(RestCall& call, const wire::Message& request) const;

    std::shared_ptr<Shapes> shapes_;
    std::string name_;
    RouteTemplate route_;
    std::vector<RouteTemplate> hiding_{};
    std::vector<int> reply_statuses_{};
    bool is_stream_;
    Unknown unknown_;

    const wire::Message& request_;
    std::vector<FieldShape> in_path_{};  // In the order of the route.
    MessageShape carried_{};             // What becomes the query, or the members of the body.
    const FieldShape* body_ = nullptr;   // The one that is the body.

    const wire::Message& reply_;
    const MessageShape* reply_shape_;
    MessageShape reply_members_{};
    const FieldShape* reply_body_ = nullptr;
};

}  // namespace millrace::rpc
