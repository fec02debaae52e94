#include "api/rest/handlers.hpp"
#include "api_rest_documents.hpp"

namespace millrace::rest {

http::Handler definition_schema_handler() {
    return [](const http::HttpRequest&, const http::Responder& respond) {
        respond({.body = std::string(documents::kDefinitionSchema),
                 .headers = {{"Cache-Control", "max-age=60"}}});
    };
}

}  // namespace millrace::rest
