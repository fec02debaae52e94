#include "api/rest/actor.hpp"

namespace millrace::rest {

Actor actor_of(const http::HttpRequest& request) {
    return {.request_id = request.request_id};
}

}  // namespace millrace::rest
