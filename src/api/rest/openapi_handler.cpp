#include "api/rest/handlers.hpp"
#include "api_rest_documents.hpp"

namespace millrace::rest {

http::Handler openapi_handler() {
    return [](const http::HttpRequest&, const http::Responder& respond) {
        respond({.body = std::string(documents::kOpenApi),
                 .headers = {{"Cache-Control", "max-age=60"}}});
    };
}

}  // namespace millrace::rest
