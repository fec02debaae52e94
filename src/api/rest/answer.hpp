#pragma once

#include <string>
#include <utility>

#include "api/http/error_response.hpp"
#include "api/http/exchange.hpp"

namespace millrace::rest {

inline void answer_error(const http::Responder& respond, const Error& error) {
    respond(http::error_response(error, respond.request_id()));
}

// A JSON document of ours ends with a line end.
inline http::HttpResponse json_response(int status, std::string body) {
    body += '\n';
    return {.status = status, .body = std::move(body)};
}

// What to hand to a queue: answers with the error, or with what `make` makes of the value.
template <class Value, class Make>
auto answer_with(const http::Responder& respond, Make make) {
    return [respond, make = std::move(make)](Result<Value> result) {
        if (!result) return answer_error(respond, result.error());
        respond(make(*result));
    };
}

}  // namespace millrace::rest
