#include "cli/run_bench.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <optional>
#include <ostream>
#include <thread>

#include "base/mutex.hpp"
#include "cli/bench_samples.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/print_document.hpp"
#include "cli/progress.hpp"
#include "cli/table.hpp"
#include "millrace/client/worker.hpp"

namespace millrace::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* kDefinition = "millrace_bench";
constexpr auto kLook = std::chrono::milliseconds(200);
// Nothing completes for so long: something else is wrong.
constexpr auto kPatience = std::chrono::seconds(30);

json::Value step(const char* id, const char* type) {
    json::Value out = json::Object{};
    out.set("id", id);
    out.set("name", id);
    out.set("type", type);
    return out;
}

json::Value definition() {
    json::Value work = step("work", "SERVICE_TASK");
    work.set("jobType", kDefinition);
    work.set("nextStep", "done");
    json::Value out = json::Object{};
    out.set("id", kDefinition);
    out.set("name", "One step, for millrace bench");
    out.set("steps", json::Array{std::move(work), step("done", "END")});
    return out;
}

// What happened when; clients and workers write to it at the same time.
class Measurements {
public:
    void started(const std::string& instance, SteadyClock::time_point sent,
                 SteadyClock::time_point answered) {
        const MutexLock lock(mutex_);
        starts_.push_back(answered - sent);
        sent_[instance] = sent;
        last_start_ = std::max(last_start_, answered);
    }

    void completed(const std::string& instance, SteadyClock::time_point at) {
        {
            const MutexLock lock(mutex_);
            done_[instance] = at;
            last_end_ = std::max(last_end_, at);
        }
        changed_.notify_all();
    }

    void failed(const client::Error& error) {
        {
            const MutexLock lock(mutex_);
            if (!failure_) failure_ = error;
        }
        changed_.notify_all();
    }

    std::optional<client::Error> failure() const {
        const MutexLock lock(mutex_);
        return failure_;
    }

    // Until `count` are done, something fails, or nothing happens for long. False: not all.
    bool wait(std::size_t count, Progress& progress) {
        const MutexLock lock(mutex_);
        SteadyClock::time_point moved_at = SteadyClock::now();
        std::size_t before = 0;
        while (done_.size() < count && !failure_) {
            changed_.wait_for(mutex_, kLook);
            progress.show(static_cast<std::int64_t>(done_.size()));
            if (done_.size() != before) moved_at = SteadyClock::now();
            before = done_.size();
            if (SteadyClock::now() - moved_at > kPatience) break;
        }
        return done_.size() >= count && !failure_;
    }

    Samples starts() const {
        const MutexLock lock(mutex_);
        return starts_;
    }
    // From sending the start to the answer of the completion.
    Samples whole() const {
        const MutexLock lock(mutex_);
        Samples samples;
        for (const auto& [instance, sent] : sent_) {
            const auto found = done_.find(instance);
            if (found != done_.end()) samples.push_back(found->second - sent);
        }
        return samples;
    }
    SteadyClock::time_point last_start() const {
        const MutexLock lock(mutex_);
        return last_start_;
    }
    SteadyClock::time_point last_end() const {
        const MutexLock lock(mutex_);
        return last_end_;
    }

private:
    mutable Mutex mutex_;
    std::condition_variable_any changed_;
    Samples starts_ MILLRACE_GUARDED_BY(mutex_);
    std::map<std::string, SteadyClock::time_point> sent_ MILLRACE_GUARDED_BY(mutex_);
    std::map<std::string, SteadyClock::time_point> done_ MILLRACE_GUARDED_BY(mutex_);
    SteadyClock::time_point last_start_ MILLRACE_GUARDED_BY(mutex_){};
    SteadyClock::time_point last_end_ MILLRACE_GUARDED_BY(mutex_){};
    std::optional<client::Error> failure_ MILLRACE_GUARDED_BY(mutex_);
};

// Starts instances until enough have been, each after the answer to the one before.
void start_instances(client::Client& client, std::atomic<std::int32_t>& left,
                     Measurements& measurements) {
    while (--left >= 0) {
        const SteadyClock::time_point sent = SteadyClock::now();
        const client::Result<client::Instance> instance =
            client.start_instance({.definition_id = kDefinition});
        if (!instance) return measurements.failed(instance.error());
        measurements.started(std::string(instance->id()), sent, SteadyClock::now());
    }
}

double per_second(std::int32_t count, SteadyClock::duration duration) {
    const double seconds = std::chrono::duration<double>(duration).count();
    return seconds > 0 ? count / seconds : 0;
}

json::Value json_of(const Percentiles& each) {
    json::Value out = json::Object{};
    out.set("p50", each.p50);
    out.set("p95", each.p95);
    out.set("p99", each.p99);
    out.set("max", each.max);
    return out;
}

int report(const RunBench& command, const Context& context, const Measurements& measurements,
           SteadyClock::time_point began) {
    const double starts = per_second(command.instances, measurements.last_start() - began);
    const double completions = per_second(command.instances, measurements.last_end() - began);
    const Percentiles start = percentiles_of(measurements.starts());
    const Percentiles whole = percentiles_of(measurements.whole());
    json::Value document = json::Object{};
    document.set("instances", command.instances);
    document.set("clients", command.clients);
    document.set("workers", command.workers);
    document.set("startsPerSecond", starts);
    document.set("completionsPerSecond", completions);
    document.set("startMilliseconds", json_of(start));
    document.set("wholeMilliseconds", json_of(whole));
    if (print_document(context, document)) return succeeded;

    const auto row = [](const char* name, double rate, const Percentiles& each) {
        return std::vector<std::string>{name,
                                        short_number(rate),
                                        short_number(each.p50),
                                        short_number(each.p95),
                                        short_number(each.p99),
                                        short_number(each.max)};
    };
    print_table(context.console, {{"", "PER SECOND", "P50 MS", "P95 MS", "P99 MS", "MAX MS"},
                                  row("start", starts, start),
                                  row("start to completion", completions, whole)});
    context.console.out << command.instances << " instances, " << command.clients << " clients, "
                        << command.workers
                        << " workers; this program and the network are part of the times.\n";
    return succeeded;
}

}  // namespace

int execute(const RunBench& command, const Context& context) {
    client::Client client(context.server);
    const client::Result<client::DefinitionSummary> uploaded =
        client.upload_definition(definition());
    if (!uploaded) return fail(context, uploaded.error());

    Measurements measurements;
    client::Worker worker(context.server,
                          {.worker_id = "millrace-bench", .slots = command.workers});
    worker.handle(kDefinition, [](const client::Job&, client::JobContext&) -> client::Outcome {
        return client::Completed{};
    });
    worker.observe(
        {.job_done =
             [&](const client::Job& job, const client::Outcome&, const client::Error* error) {
                 if (error != nullptr) return measurements.failed(*error);
                 measurements.completed(std::string(job.instance_id()), SteadyClock::now());
             },
         .poll_failed =
             [&](const client::Error& error) {
                 measurements.failed(error);
             }});
    std::stop_source stop;
    // What it could not do is counted above.
    std::thread working([&] { (void)worker.run(stop.get_token()); });

    const SteadyClock::time_point began = SteadyClock::now();
    std::atomic<std::int32_t> left = command.instances;
    std::vector<std::thread> clients;
    for (int i = 0; i < command.clients; ++i) {
        clients.emplace_back([&] { start_instances(client, left, measurements); });
    }
    Progress progress(context.console, "completed", command.instances);
    const bool is_complete =
        measurements.wait(static_cast<std::size_t>(command.instances), progress);
    left = 0;
    for (std::thread& thread : clients) thread.join();
    stop.request_stop();
    working.join();
    progress.end();
    if (const auto failure = measurements.failure()) return fail(context, *failure);
    if (!is_complete) return fail(context, no_answer, "Instances do not complete: gave up.");
    return report(command, context, measurements, began);
}

}  // namespace millrace::cli
