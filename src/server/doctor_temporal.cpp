#include <chrono>
#include <future>

#include "server/doctor.hpp"
#include "server/queue_options.hpp"

namespace millrace {

namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 5s;
// A start whose outcome is unknown can be asked about for as long as the cluster remembers runs.
constexpr Duration kRetentionMin = 24h;

std::string in_hours(Duration time) {
    return std::to_string(std::chrono::floor<std::chrono::hours>(time).count()) + " h";
}

}  // namespace

Finding judge(const TargetAnswer& answer) {
    const std::string target = "Target \"" + answer.target + "\" (" + answer.address + ")";
    const auto& [report, failure] = answer.result;
    if (!report) {
        return {
            Severity::problem, "temporal",
            target + " does not answer: " + failure.code + " " + failure.message + ".",
            "See whether the cluster runs, and whether address, certificates and key are right. "
            "Executions for it wait meanwhile; none is lost."};
    }
    if (!report->is_found) {
        return {Severity::problem, "temporal", target + " does not know its namespace.",
                "Register the namespace, or name another one in the settings of the target."};
    }
    if (report->retention < kRetentionMin) {
        return {Severity::warning, "temporal",
                target + " forgets runs " + in_hours(report->retention) + " after their end.",
                "Keep them for a day or more: a start whose answer got lost can be repeated only "
                "while the cluster would still know of it."};
    }
    return {Severity::good, "temporal",
            target + " answers and keeps runs for " + in_hours(report->retention) + ".", ""};
}

std::vector<Finding> examine_targets(const ServerConfig& config) {
    Result<RemoteExecutors> executors = open_executors(config, "doctor");
    if (!executors) {
        return {{Severity::problem, "temporal", executors.error().detail,
                 "Mend the settings of the target."}};
    }
    std::map<std::string, std::future<CallResult<NamespaceReport>>> answers;
    for (const auto& [target, executor] : *executors) {
        const auto answer = std::make_shared<std::promise<CallResult<NamespaceReport>>>();
        answers.emplace(target, answer->get_future());
        executor->describe_namespace({}, kPatience, [answer](CallResult<NamespaceReport> result) {
            answer->set_value(std::move(result));
        });
    }
    std::vector<Finding> findings;
    for (auto& [target, answer] : answers) {
        findings.push_back(judge({target, config.temporal.at(target).address, answer.get()}));
    }
    for (const auto& [target, executor] : *executors) executor->stop();
    return findings;
}

}  // namespace millrace
