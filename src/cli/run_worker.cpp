#include "cli/run_worker.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>

#include "base/json/write.hpp"
#include "base/mutex.hpp"
#include "cli/exec_handler.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/yaml.hpp"
#include "millrace/client/worker.hpp"

namespace millrace::cli {
namespace {

// Holds back the signals that ask to stop, in this thread and in all it starts from now on, so that
// they are received where wait() is called. Lets them through again at its end.
class StopSignals {
public:
    StopSignals() {
        // A command may end without reading its input.
        ::signal(SIGPIPE, SIG_IGN);
        ::sigemptyset(&signals_);
        ::sigaddset(&signals_, SIGTERM);
        ::sigaddset(&signals_, SIGINT);
        ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    }
    ~StopSignals() { ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    void wait() const {
        int received = 0;
        while (::sigwait(&signals_, &received) != 0) {
        }
    }

    // Ends the wait, from any thread.
    void end_wait() const { ::pthread_kill(waiting_, SIGTERM); }

private:
    const pthread_t waiting_ = ::pthread_self();
    sigset_t signals_{};
};

// One line per job and per failure; the worker's threads share it.
class WorkerLog {
public:
    explicit WorkerLog(const Context& context) : context_(context) {}

    void job_done(const client::Job& job, const client::Outcome& outcome,
                  const client::Error* error) {
        const client::Failed* failed = std::get_if<client::Failed>(&outcome);
        const char* text = error ? "not reported" : failed ? "failed" : "completed";
        const std::string reason = error ? error->message : failed ? failed->message : "";
        std::ostringstream line;
        if (context_.output != OutputFormat::table) {
            json::Value entry = json::Object{};
            entry.set("jobId", job.id());
            entry.set("jobType", job.job_type());
            entry.set("outcome", text);
            if (!reason.empty()) entry.set("message", reason);
            const bool is_yaml = context_.output == OutputFormat::yaml;
            line << (is_yaml ? "---\n" + to_yaml(entry) : json::write(entry) + "\n");
        } else {
            line << job.job_type() << ' ' << job.id() << ' ' << text;
            if (!reason.empty()) line << ": " << reason;
            line << '\n';
        }
        print(context_.console.out, line.str());
    }

    // Said once, not again with each try. True for a worker that the server does not take: it was
    // never answered otherwise, and trying again would not help.
    bool poll_failed(const client::Error& error) {
        const MutexLock lock(mutex_);
        const bool is_refused = error.status != 0 && !client::is_transient(error);
        if (error.code == latest_problem_) return false;
        latest_problem_ = error.code;
        const int exit_code = fail(context_, error);
        if (is_refused && !is_taken_) {
            refused_with_ = exit_code;
            return true;
        }
        context_.console.err << (is_refused ? "Trying again, in case that changes.\n"
                                            : "Trying again until it answers.\n")
                             << std::flush;
        return false;
    }

    void poll_answered() {
        const MutexLock lock(mutex_);
        is_taken_ = true;
    }

    // The exit code for a worker that the server does not take.
    std::optional<int> refused_with() {
        const MutexLock lock(mutex_);
        return refused_with_;
    }

    void print(std::ostream& out, const std::string& line) {
        const MutexLock lock(mutex_);
        latest_problem_.clear();
        out << line << std::flush;
    }

private:
    const Context& context_;
    Mutex mutex_;
    std::string latest_problem_ MILLRACE_GUARDED_BY(mutex_);
    bool is_taken_ MILLRACE_GUARDED_BY(mutex_) = false;
    std::optional<int> refused_with_ MILLRACE_GUARDED_BY(mutex_);
};

std::string default_worker_id() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
    return std::string(host.data()) + "-" + std::to_string(::getpid());
}

client::WorkerOptions options_of(const RunWorker& command) {
    return {.job_types = command.job_types,
            .worker_id = command.worker_id.empty() ? default_worker_id() : command.worker_id,
            .parallel = command.parallel,
            .lease_duration = std::chrono::seconds(command.lease_seconds)};
}

}  // namespace

int execute(const RunWorker& command, const Context& context) {
    if (const Status found = find_command(command.command); !found) {
        return fail(context, misused, found.error().detail);
    }
    auto signals = std::make_unique<StopSignals>();
    if (const client::Status status = client::Client(context.server).healthz();
        !status && !client::is_transient(status.error()) && status.error().status == 0) {
        return fail(context, status.error());
    }
    WorkerLog log(context);
    client::Worker worker(
        context.server, options_of(command),
        [&](const client::Job& job) { return run_for_job(command.command, job); },
        {.job_done = [&](const client::Job& job, const client::Outcome& outcome,
                         const client::Error* error) { log.job_done(job, outcome, error); },
         .poll_failed =
             [&](const client::Error& error) {
                 if (log.poll_failed(error)) signals->end_wait();
             },
         .poll_answered =
             [&] {
                 log.poll_answered();
             }});
    log.print(context.console.err, "Waiting for jobs at " + context.server.server + ".\n");

    signals->wait();
    if (const std::optional<int> exit_code = log.refused_with()) {
        worker.stop();
        return *exit_code;
    }
    log.print(context.console.err, "Stopping: no more jobs are taken, running commands may end.\n");
    signals.reset();
    worker.stop();
    return succeeded;
}

}  // namespace millrace::cli
