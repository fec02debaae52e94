#include "api/rest/without_body.hpp"

#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"

namespace millrace::rest {

http::Handler without_body(http::Handler handler) {
    return [handler = std::move(handler)](http::HttpRequest request, http::Responder respond) {
        const Result<json::Value> object = parse_optional_object(request.body);
        if (!object) return answer_error(respond, object.error());
        BodyReader body(*object);
        if (!body.finish()) return answer_error(respond, body.error());
        handler(std::move(request), std::move(respond));
    };
}

}  // namespace millrace::rest
