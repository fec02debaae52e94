#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/http/exchange.hpp"
#include "api/http/message.hpp"

namespace millrace::rest {

// Fields of the body of one request that nobody has asked for. On most routes they are an error; on
// lenient ones they are noted here and told to the client in the header Millrace-Warning.
class UnreadFields {
public:
    explicit UnreadFields(const http::HttpRequest& request)
        : are_refused_(request.unknown_fields == http::UnknownFields::refused) {}

    bool are_refused() const { return are_refused_; }

    // `path` leads to the field. Those of the items of a list are noted once for all.
    void note(std::string_view path);

    // What answers the request and tells of them. The same when there are none.
    http::Responder told_by(const http::Responder& respond) const;

private:
    bool are_refused_;
    bool has_more_ = false;
    std::vector<std::string> paths_{};
};

}  // namespace millrace::rest
