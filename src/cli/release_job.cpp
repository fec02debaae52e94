#include "cli/release_job.hpp"

#include <ostream>

#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "millrace/client/client.hpp"

namespace millrace::cli {

int execute(const ReleaseJob& command, const Context& context) {
    client::Client client(context.server);
    client::ReleaseJob release{
        .claim = {.job_id = command.id, .worker_id = command.worker_id},
        .delay = std::chrono::seconds(command.delay_seconds),
        .reason = command.reason,
    };
    if (command.lease_token != 0) release.claim.lease_token = command.lease_token;
    const client::Status status = client.release_job(release);
    if (!status) return fail(context, status.error());
    json::Value document = json::Object{};
    document.set("id", command.id);
    document.set("released", true);
    if (!print_document(context, document)) context.console.out << command.id << " is released.\n";
    return succeeded;
}

}  // namespace millrace::cli
