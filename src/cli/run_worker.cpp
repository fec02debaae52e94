#include "cli/run_worker.hpp"

#include <signal.h>

#include <functional>
#include <ostream>
#include <sstream>
#include <stop_token>
#include <thread>

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
// they are received where wait() is called.
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
    ~StopSignals() { let_through(); }
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    void wait() const {
        int received = 0;
        while (::sigwait(&signals_, &received) != 0) {
        }
    }

    void let_through() const { ::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr); }

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
        const bool is_released = std::holds_alternative<client::Released>(outcome);
        const char* text = error         ? "not reported"
                           : is_released ? "released"
                           : failed      ? "failed"
                                         : "completed";
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

    // Said once, not again with each try, and of a worker that the server does not take only when
    // it ends.
    void poll_failed(const client::Error& error) {
        const MutexLock lock(mutex_);
        const bool is_answer = error.status != 0 && !client::is_transient(error);
        const bool ends_it = is_answer && !is_taken_ && error.status / 100 == 4;
        if (error.code == latest_problem_ || ends_it) return;
        latest_problem_ = error.code;
        fail(context_, error);
        context_.console.err << (is_answer ? "Trying again, in case that changes.\n"
                                           : "Trying again until it answers.\n")
                             << std::flush;
    }

    void poll_answered() {
        const MutexLock lock(mutex_);
        is_taken_ = true;
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
};

client::WorkerOptions options_of(const RunWorker& command) {
    return {.worker_id = command.worker_id,
            .slots = command.parallel,
            .lease_duration = std::chrono::seconds(command.lease_seconds),
            .drain_duration = std::chrono::seconds(command.grace_seconds)};
}

// Until a signal comes, or the server refuses the worker. A second signal ends the program.
client::Status run_until_signal(client::Worker& worker, const StopSignals& signals,
                                const std::function<void()>& stopping) {
    Mutex mutex;
    bool is_over = false;
    std::stop_source stop;
    client::Status status = std::monostate{};
    std::thread working([&] {
        status = worker.run(stop.get_token());
        const MutexLock lock(mutex);
        is_over = true;
        if (!stop.stop_requested()) signals.end_wait();
    });
    signals.wait();
    {
        const MutexLock lock(mutex);
        if (!is_over) stopping();
        stop.request_stop();
    }
    signals.let_through();
    working.join();
    return status;
}

}  // namespace

int execute(const RunWorker& command, const Context& context) {
    if (const Status found = find_command(command.command); !found) {
        return fail(context, misused, found.error().detail);
    }
    const StopSignals signals;
    if (const client::Status status = client::Client(context.server).healthz();
        !status && !client::is_transient(status.error()) && status.error().status == 0) {
        return fail(context, status.error());
    }
    WorkerLog log(context);
    client::Worker worker(context.server, options_of(command));
    for (const std::string& type : command.job_types) {
        worker.handle(type, [&](const client::Job& job, client::JobContext& job_context) {
            return run_for_job(command.command, job, job_context);
        });
    }
    worker.observe(
        {.job_done = [&](const client::Job& job, const client::Outcome& outcome,
                         const client::Error* error) { log.job_done(job, outcome, error); },
         .poll_failed = [&](const client::Error& error) { log.poll_failed(error); },
         .poll_answered =
             [&] {
                 log.poll_answered();
             }});
    log.print(context.console.err, "Waiting for jobs at " + context.server.server + ".\n");

    const client::Status status = run_until_signal(worker, signals, [&] {
        log.print(context.console.err,
                  "Stopping: no more jobs are taken, running commands may end.\n");
    });
    return status ? succeeded : fail(context, status.error());
}

}  // namespace millrace::cli
