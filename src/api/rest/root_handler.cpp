#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"

namespace millrace::rest {

// For whoever has an address and nothing else. It tells nothing that the open routes do not.
http::Handler root_handler() {
    return [](const http::HttpRequest&, const http::Responder& respond) {
        respond(json_response(200, R"({"name":"Millrace","version":")" MILLRACE_VERSION
                                   R"(","description":"A workflow engine and execution queue.",)"
                                   R"("links":{"api":"/v1","openapi":"/openapi.json",)"
                                   R"("definitionSchema":"/definition.schema.json",)"
                                   R"("health":"/healthz","readiness":"/readyz"},)"
                                   R"("documentation":"docs/ of the sources; this API is in )"
                                   R"(docs/reference/api.md",)"
                                   R"("grpc":"On a port of its own, 9090 unless the )"
                                   R"(configuration names another: millrace.v1 and )"
                                   R"(workflow.v1, with reflection.",)"
                                   R"("metrics":"On a port of their own, 9091 unless the )"
                                   R"(configuration names another, at /metrics."})"));
    };
}

}  // namespace millrace::rest
