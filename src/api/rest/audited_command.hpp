#pragma once

#include <utility>

#include "api/rest/actor.hpp"
#include "api/rest/context.hpp"
#include "engine/audited.hpp"
#include "engine/start_instance.hpp"

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

// The entry of a start has the id of the instance.
inline Audited<StartInstance> audited_start(const Context& context,
                                            const http::HttpRequest& request,
                                            StartInstance command) {
    if (!context.is_audited) return {.request = std::move(command)};
    const AuditKey key{AuditEntryId{command.key.id.value}, command.key.workspace_id};
    return {.request = std::move(command), .trail = AuditTrail{key, actor_of(request)}};
}

template <class Request>
Audited<Request> audited(const Context& context, const http::HttpRequest& request,
                         const WorkspaceId& workspace_id, Request command) {
    if (!context.is_audited) return {.request = std::move(command)};
    return audited(context, actor_of(request), workspace_id, std::move(command));
}

}  // namespace millrace::rest
