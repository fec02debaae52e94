#include "api/rest/actor.hpp"

#include "core/access/principal.hpp"

namespace millrace::rest {

Actor actor_of(const http::HttpRequest& request) {
    Actor actor{.remote_address = request.remote_address, .request_id = request.request_id};
    if (request.principal != nullptr) {
        actor.key_id = request.principal->key_id;
        actor.key_name = request.principal->name;
    }
    return actor;
}

}  // namespace millrace::rest
