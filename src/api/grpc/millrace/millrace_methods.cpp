#include "api/grpc/millrace/millrace_methods.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/logging.h>
#include <millrace/v1/administration.pb.h>
#include <millrace/v1/dead_letters.pb.h>
#include <millrace/v1/definitions.pb.h>
#include <millrace/v1/executions.pb.h>
#include <millrace/v1/instances.pb.h>
#include <millrace/v1/jobs.pb.h>
#include <millrace/v1/user_tasks.pb.h>
#include <millrace/v1/workspaces.pb.h>

#include "api/grpc/millrace/millrace_method.hpp"

namespace millrace::rpc {

namespace {

// A message of each file with a service: naming it keeps the linker from leaving the file out.
std::vector<const wire::FileDescriptor*> files() {
    return {
        v1::Definition::descriptor()->file(),      v1::Instance::descriptor()->file(),
        v1::UserTask::descriptor()->file(),        v1::Job::descriptor()->file(),
        v1::Workspace::descriptor()->file(),       v1::Execution::descriptor()->file(),
        v1::DeadLetterGroup::descriptor()->file(), v1::Readiness::descriptor()->file(),
    };
}

std::vector<std::unique_ptr<MillraceMethod>> all_methods() {
    const auto shapes = std::make_shared<Shapes>();
    std::vector<std::unique_ptr<MillraceMethod>> methods;
    for (const wire::FileDescriptor* file : files()) {
        for (int i = 0; i < file->service_count(); ++i) {
            const wire::ServiceDescriptor& service = *file->service(i);
            for (int j = 0; j < service.method_count(); ++j) {
                methods.push_back(std::make_unique<MillraceMethod>(*service.method(j), shapes));
            }
        }
    }
    return methods;
}

bool can_hide(const RouteTemplate& route, const RouteTemplate& other) {
    std::vector<std::string> filled;
    for (std::size_t i = 0; i < route.segments.size() && i < other.segments.size(); ++i) {
        if (route.segments[i].is_field) filled.push_back(other.segments[i].text);
    }
    return route.segments.size() == other.segments.size() && route.is_hidden_by(other, filled);
}

}  // namespace

Methods millrace_methods() {
    // It writes a line to stderr for each message of a client that is no UTF-8.
    wire::SetLogHandler(nullptr);
    std::vector<std::unique_ptr<MillraceMethod>> methods = all_methods();
    for (const auto& each : methods) {
        std::vector<RouteTemplate> hiding;
        for (const auto& other : methods) {
            if (can_hide(each->route(), other->route())) hiding.push_back(other->route());
        }
        each->set_hiding(std::move(hiding));
    }
    Methods table;
    for (auto& each : methods) table.push_back(std::move(each));
    return table;
}

}  // namespace millrace::rpc
