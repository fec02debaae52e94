#include "api/rest/handlers.hpp"
#include "api/rest/user_task_calls.hpp"
#include "engine/unclaim_user_task.hpp"

namespace millrace::rest {

http::Handler unclaim_user_task_handler(const Context& context) {
    return user_task_call<UnclaimUserTask>(context, [](BodyReader& body, UnclaimUserTask& command) {
        command.user_id = body.name("userId");
    });
}

}  // namespace millrace::rest
