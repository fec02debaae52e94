#pragma once

#include <string>

#include "api/http/message.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/context.hpp"
#include "queue/get_queue.hpp"
#include "queue/workspace_settings.hpp"

namespace millrace::rest {

// With `limits`, which hold in the end: its own settings, else those of its plan and of the server.
void append_workspace(std::string& out, const Workspace& workspace, const Context& context);

http::HttpResponse workspace_response(int status, const Workspace& workspace,
                                      const Context& context);

// How its line stands.
http::HttpResponse queue_response(const QueueView& view, const Context& context);

// The settings of a workspace that a body names. `null` takes one back, so that the plan's holds.
WorkspaceChanges workspace_changes_in(BodyReader& body);

// Whether anything is changed that is for those to decide who run the cluster.
bool changes_limits(const WorkspaceChanges& changes);

}  // namespace millrace::rest
