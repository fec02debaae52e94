#include "api/rest/instance_response.hpp"

#include "api/rest/answer.hpp"
#include "api/rest/wire_json.hpp"

namespace millrace::rest {

http::HttpResponse instance_response(const Instance& instance) {
    std::string body;
    append_instance(body, instance);
    return json_response(200, std::move(body));
}

}  // namespace millrace::rest
