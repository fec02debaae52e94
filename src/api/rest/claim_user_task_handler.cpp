#include "api/rest/handlers.hpp"
#include "api/rest/user_task_calls.hpp"
#include "engine/claim_user_task.hpp"

namespace millrace::rest {

http::Handler claim_user_task_handler(const Context& context) {
    return user_task_call<ClaimUserTask>(context, [](BodyReader& body, ClaimUserTask& command) {
        command.user_id = body.name("userId");
        if (command.user_id.empty()) body.refuse("userId", "userId is required");
    });
}

}  // namespace millrace::rest
