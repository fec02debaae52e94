#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <string>
#include <string_view>

#include "api/grpc/method.hpp"
#include "base/json/parse.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

// Each level of a Struct is up to three messages deep.
inline constexpr int kMessageDepthMax = 3 * static_cast<int>(limits::kStructDepthMax) + 16;

template <class Message>
bool parse_message(Message& message, std::string_view bytes) {
    google::protobuf::io::CodedInputStream input(
        reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size()));
    input.SetRecursionLimit(kMessageDepthMax);
    return message.ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

// An rpc of workflow.v1.WorkflowEngine: its message as a call of REST, the JSON of the answer as
// its reply. An answer without a body, or one that the contract wants empty, leaves the reply
// empty.
template <class Request, class Reply>
class WorkflowMethod : public Method {
public:
    explicit WorkflowMethod(std::string_view rpc)
        : name_("/workflow.v1.WorkflowEngine/" + std::string(rpc)) {}

    const std::string& name() const final { return name_; }
    const google::protobuf::Descriptor* input() const final { return Request::descriptor(); }

    Result<RestCall> to_call(std::string_view message) const final {
        Request request;
        if (!parse_message(request, message)) {
            return Error{ErrorCode::invalid_argument, "The message is no " +
                                                          Request::descriptor()->full_name() +
                                                          ", or its values are nested too deep."};
        }
        return call_of(request);
    }

    Result<std::string> to_reply(const http::HttpResponse& response) const final {
        Reply reply;
        if (response.status < 400 && !response.body.empty()) {
            const Result<json::Value> body = json::parse(response.body);
            // Ours is good JSON, but it may hold more than is read at once.
            if (!body) {
                return Error{ErrorCode::too_large,
                             "The answer is too large for this protocol. Ask for less, or over "
                             "REST."};
            }
            if (const Status filled = fill_reply(reply, *body); !filled) return filled.error();
        }
        return reply.SerializeAsString();
    }

protected:
    virtual Result<RestCall> call_of(const Request& request) const = 0;
    virtual Status fill_reply(Reply& reply, const json::Value& body) const = 0;

private:
    const std::string name_;
};

}  // namespace millrace::rpc
