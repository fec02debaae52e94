#pragma once

#include <utility>

#include "api/http/exchange.hpp"
#include "api/rest/context.hpp"

namespace millrace::rest {

// Tells the commands of a request where they come from.
inline CommandTrace trace_of(const Context& context, const http::Responder& respond) {
    const TraceContext trace = respond.trace();
    if (!trace.is_recorded) return {};
    return {.request = trace, .submitted_at = context.clock.now()};
}

// Hands a command of this request to the queue; `done` is called as the queue says.
template <class Request, class Done>
void submit(const Context& context, const http::Responder& respond, Request request, Done done) {
    context.commands.submit(std::move(request), std::move(done), trace_of(context, respond));
}

}  // namespace millrace::rest
