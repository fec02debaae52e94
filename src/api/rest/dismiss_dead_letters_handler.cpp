#include "api/rest/dead_letter_calls.hpp"
#include "api/rest/handlers.hpp"
#include "queue/dismiss_dead_letter.hpp"

namespace millrace::rest {

http::Handler dismiss_dead_letters_handler(const Context& context) {
    return handler_of_each<DismissDeadLetter>(context, "dismissed");
}

}  // namespace millrace::rest
