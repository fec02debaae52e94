#pragma once

#include <utility>

#include "api/rest/actor.hpp"
#include "api/rest/context.hpp"
#include "engine/audited.hpp"

namespace millrace::rest {

// The command, to be noted as this caller's. Without a trail when nothing is audited here.
template <class Request>
Audited<Request> audited(const Context& context, Actor actor, const WorkspaceId& workspace_id,
                         Request command) {
    if (!context.is_audited) return {.request = std::move(command)};
    const AuditEntryId id{context.instance_ids.next().value};
    return {.request = std::move(command),
            .trail = AuditTrail{{id, workspace_id}, std::move(actor)}};
}

template <class Request>
Audited<Request> audited(const Context& context, const http::HttpRequest& request,
                         const WorkspaceId& workspace_id, Request command) {
    if (!context.is_audited) return {.request = std::move(command)};
    return audited(context, actor_of(request), workspace_id, std::move(command));
}

}  // namespace millrace::rest
