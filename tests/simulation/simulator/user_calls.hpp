#pragma once

#include "simulator/users.hpp"

namespace millrace::sim {

// How users send what is done once under a key, and what is not.

template <class Request>
void Users::send(Deed& deed, const WorkspaceId& workspace_id, const Id128& id, Request request) {
    deed.world.submit({.replica = deed.replica, .workspace_id = workspace_id, .ids = {id}},
                      audited(deed.world, deed.replica, workspace_id, std::move(request)));
}

template <class Request>
void Users::send_once(Deed& deed, const WorkspaceId& workspace_id, const Id128& id, Request request,
                      json::Value asked) {
    const std::optional<std::string> key = draw_key(deed);
    const auto send_it = [workspace_id, id, request = std::move(request), asked = std::move(asked),
                          key](World& world, int replica) {
        const CallInfo info{replica, workspace_id, {id}, key};
        world.submit(
            info, once(key, workspace_id, audited(world, replica, workspace_id, request), asked));
    };
    send_it(deed.world, deed.replica);
    if (key) note_repeat(send_it);
}

}  // namespace millrace::sim
