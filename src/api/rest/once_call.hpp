#pragma once

#include <utility>

#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/submit.hpp"

namespace millrace::rest {

// Submits a command that moves an instance, once under its caller's key, noted as this caller's,
// and answers with 204. `asked(command)` is all that makes two requests the same.
template <class Command, class Asked>
void submit_once(const Context& context, const http::HttpRequest& request,
                 const http::Responder& respond, const WorkspaceId& workspace_id, Command command,
                 Asked asked) {
    const Result<std::optional<std::string>> key = idempotency_key_of(request);
    if (!key) return answer_error(respond, key.error());
    auto once = idempotent(*key, workspace_id,
                           audited(context, request, workspace_id, std::move(command)), asked);
    const auto make = [](const Once<Instance>& done) {
        return marked_if_replayed({.status = 204}, done.is_replayed());
    };
    submit(context, respond, std::move(once), answer_with<Once<Instance>>(respond, make));
}

}  // namespace millrace::rest
