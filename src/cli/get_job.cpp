#include "cli/get_job.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {
namespace {

void print_tries(const Console& console, const json::Value& tries) {
    const json::Array* items = tries.if_array();
    if (items == nullptr || items->empty()) return;
    Rows rows{{"ATTEMPT", "OUTCOME", "WORKER", "STARTED", "ENDED", "MESSAGE"}};
    for (const json::Value& item : *items) {
        const client::Document each(item);
        rows.push_back({std::to_string(each.integer("attempt")), std::string(each.text("outcome")),
                        std::string(each.text("workerId")), std::string(each.text("startedAt")),
                        std::string(each.text("endedAt")), std::string(each.text("message"))});
    }
    console.out << '\n';
    print_table(console, rows);
}

}  // namespace

int execute(const GetJob& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::Job> job = client.get_job(command.id);
    if (!job) return fail(context, job.error());
    if (print_document(context, job->json())) return succeeded;
    print_facts(context.console, {{"id", std::string(job->id())},
                                  {"type", std::string(job->job_type())},
                                  {"instance", std::string(job->instance_id())},
                                  {"step", std::string(job->step_id())},
                                  {"status", std::string(job->status())},
                                  {"attempt", std::to_string(job->attempt())},
                                  {"retries left", std::to_string(job->retries_remaining())},
                                  {"worker", std::string(job->worker_id())},
                                  {"lease until", std::string(job->lock_expires_at())},
                                  {"next try at", std::string(job->available_at())},
                                  {"created", std::string(job->created_at())}});
    print_tries(context.console, job->value("tries"));
    return succeeded;
}

}  // namespace millrace::cli
