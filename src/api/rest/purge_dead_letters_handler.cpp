#include "api/rest/dead_letter_calls.hpp"
#include "api/rest/handlers.hpp"
#include "queue/purge_dead_letter.hpp"

namespace millrace::rest {

http::Handler purge_dead_letters_handler(const Context& context) {
    return handler_of_each<PurgeDeadLetter>(context, "purged");
}

}  // namespace millrace::rest
