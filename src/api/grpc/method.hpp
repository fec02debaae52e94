#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.hpp"
#include "base/result.hpp"

namespace google::protobuf {
class Descriptor;
}

namespace millrace::rpc {

// What an rpc asks of the service behind REST.
struct RestCall {
    std::string method{};
    std::string path{};   // Percent-encoded.
    std::string query{};  // Without the question mark.
    std::string body{};
};

// Takes the pieces of a streamed answer apart into messages. One for each call.
class ReplyStream {
public:
    virtual ~ReplyStream() = default;

    // The bytes of each message that this piece completes.
    virtual Result<std::vector<std::string>> take(std::string_view piece) = 0;
};

// One rpc: how its message becomes a request of the service, and the answer a message. Immutable
// and thread-safe.
class Method {
public:
    virtual ~Method() = default;

    virtual const std::string& name() const = 0;  // "/package.Service/Rpc"
    virtual bool is_server_stream() const { return false; }
    // Of its message, so that nobody parses one of too many values. Null when any bytes will do.
    virtual const google::protobuf::Descriptor* input() const = 0;

    virtual Result<RestCall> to_call(std::string_view message) const = 0;
    // What is true of every client of this rpc and no client can say itself.
    virtual http::ClientTraits client() const { return {}; }

    // Of an answer below 400. The bytes of the reply message.
    virtual Result<std::string> to_reply(const http::HttpResponse& response) const = 0;
    virtual std::unique_ptr<ReplyStream> reply_stream() const { return nullptr; }

    // An answer from 400 on that this rpc does not take for an error: the bytes of the reply
    // instead. For rows of the contract that answer OK with an empty list.
    virtual bool is_reply(const http::HttpResponse&) const { return false; }
    // Whether a conflict (409) is FAILED_PRECONDITION here, as the contract says for some, instead
    // of ABORTED.
    virtual bool conflicts_are_preconditions() const { return false; }
};

// What the message asks for, within the limits of REST. too_large: beyond them.
Result<RestCall> bounded_call(const Method& method, std::string_view message);

using Methods = std::vector<std::unique_ptr<const Method>>;

}  // namespace millrace::rpc
