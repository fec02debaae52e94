#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/wire_json.hpp"
#include "engine/get_instance.hpp"

namespace millrace::rest {

http::Handler get_instance_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        const auto make = [](const Instance& instance) {
            std::string body;
            append_instance(body, instance);
            return json_response(200, std::move(body));
        };
        queries.submit(GetInstance{*key}, answer_with<Instance>(respond, make));
    };
}

}  // namespace millrace::rest
