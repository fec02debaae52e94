#include "cli/list_jobs.hpp"

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/table.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ListJobs& command, const Context& context) {
    client::Client client(context.server);
    const auto jobs =
        collect<client::Job>(context, command.limit, [&](const client::Paging& paging) {
            client::ListJobs query = command.query;
            query.paging = paging;
            return client.list_jobs(query);
        });
    if (!jobs) return fail(context, jobs.error());
    if (print_list(context, jobs->items, jobs->total)) return succeeded;
    Rows rows{{"ID", "TYPE", "STATUS", "ATTEMPT", "RETRIES LEFT", "WORKER", "INSTANCE", "CREATED"}};
    for (const client::Job& job : jobs->items) {
        rows.push_back({std::string(job.id()), std::string(job.job_type()),
                        std::string(job.status()), std::to_string(job.attempt()),
                        std::to_string(job.retries_remaining()), std::string(job.worker_id()),
                        std::string(job.instance_id()), std::string(job.created_at())});
    }
    print_table(context.console, rows);
    return succeeded;
}

}  // namespace millrace::cli
