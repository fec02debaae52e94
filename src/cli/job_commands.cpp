#include <CLI/CLI.hpp>

#include "cli/command_groups.hpp"

namespace millrace::cli {
namespace {

void add_worker(CLI::App& app, Invocation& invocation) {
    auto [command, worker] =
        add_command<RunWorker>(app, invocation, "worker", "Run a command for each job of a type");
    command->add_option("--type", worker->job_types, "Job type; may be given several times")
        ->required()
        ->allow_extra_args(false);
    command
        ->add_option("--exec", worker->command,
                     "Shell command: the job as JSON on its standard input, a JSON object of "
                     "variables on its standard output; exit code 0 completes the job, 100 fails "
                     "it for good, any other fails it for another try")
        ->required();
    expect_whole_number(
        command->add_option("--parallel", worker->parallel, "Commands at the same time"), 1, 1000)
        ->capture_default_str();
    expect_whole_number(command->add_option("--lease", worker->lease_seconds,
                                            "Seconds until others may take the job"),
                        5, 3600)
        ->capture_default_str();
    expect_whole_number(command->add_option("--grace", worker->grace_seconds,
                                            "Seconds that commands may go on after SIGTERM"),
                        0, 86400)
        ->capture_default_str();
    command->add_option("--worker-id", worker->worker_id, "HOST-PID by default");
}

}  // namespace

void add_job_commands(CLI::App& app, Invocation& invocation) {
    CLI::App& group = add_group(app, "jobs", "Look at jobs, and take them from their workers");
    auto [list, listed] =
        add_command<ListJobs>(group, invocation, "list", "List jobs that are not over");
    list->add_option("--instance", listed->query.instance_id, "Of this instance");
    list->add_option("--type", listed->query.job_type, "Of this job type");
    expect_one_of(list->add_option("--status", listed->query.status, "UNLOCKED or LOCKED"),
                  {"UNLOCKED", "LOCKED"});
    list->add_option("--worker", listed->query.worker_id, "That this worker has");
    add_limit(*list, listed->limit);

    auto [get, got] = add_command<GetJob>(group, invocation, "get", "Show a job and its tries");
    get->add_option("ID", got->id, "Id of the job")->required();

    auto [release, released] = add_command<ReleaseJob>(
        group, invocation, "release", "Take a job from its worker, and offer it to others");
    release->add_option("ID", released->id, "Id of the job")->required();
    release->add_option("--worker", released->worker_id, "Only if this worker has it");
    expect_whole_number(release->add_option("--lease-token", released->lease_token,
                                            "Only if this is still the latest claim"),
                        1);
    expect_whole_number(release->add_option("--delay", released->delay_seconds,
                                            "Seconds until it is offered again"),
                        0);
    release->add_option("--reason", released->reason, "Kept with the job's tries");

    add_worker(app, invocation);
}

}  // namespace millrace::cli
