#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/access/key_cache.hpp"
#include "api/rest/event_streams.hpp"
#include "api/rest/file_source.hpp"
#include "api/rest/job_workspaces.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "commit/command_queue.hpp"
#include "core/explain/explain_execution.hpp"
#include "core/queue/transitions.hpp"
#include "core/queue/workspace.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/instance_ids.hpp"
#include "engine/query_queue.hpp"
#include "observe/metrics.hpp"

namespace millrace::rest {

// What handlers need of the engine. Outlives the server.
struct Context {
    CommandQueue& commands;
    QueryQueue& queries;
    JobBroker& broker;
    const Clock& clock;
    InstanceIds& instance_ids;
    observe::Metrics& metrics;
    Random& random;  // Nobody can predict it: it makes secrets.
    EventStreams& event_streams;
    // Handlers have copies of this and share what they know of delivered jobs.
    std::shared_ptr<JobWorkspaces> job_workspaces = std::make_shared<JobWorkspaces>();
    FileSource back_up{};
    // What keeps this server from doing its work, as sentences; nothing when it is ready.
    std::function<std::vector<std::string>()> not_ready{};
    bool is_audited = true;  // Whether commands leave audit entries.
    Plans plans = default_plans();
    DispatchRules dispatch_rules{};
    // What explanations have to know of this process.
    std::function<ProcessFacts()> process_facts = [] {
        return ProcessFacts{};
    };
    // Where callers are asked for keys.
    access::KeyCache* keys = nullptr;
};

}  // namespace millrace::rest
