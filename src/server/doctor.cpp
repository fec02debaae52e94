#include "server/doctor.hpp"

#include <algorithm>

#include "runtime/system_clock.hpp"

namespace millrace {

namespace {

std::vector<Finding> findings_of(const ServerConfig& config) {
    if (is_sqlite(config)) return judge(sqlite::examine(sqlite_path(config)));
    const runtime::SystemClock clock;
    const PostgresOptions options{.target = config.store,
                                  .prepared_statements = config.postgres.prepared_statements};
    return judge(postgres::examine(options, clock), config.postgres);
}

std::vector<Finding> all_findings(const ServerConfig& config) {
    std::vector<Finding> findings = findings_of(config);
    for (Finding& each : examine_targets(config)) findings.push_back(std::move(each));
    return findings;
}

json::Value document_of(const std::vector<Finding>& findings) {
    json::Array items;
    for (const Finding& each : findings) {
        json::Value item = json::Object{};
        item.set("severity", to_string(each.severity));
        item.set("check", each.check);
        item.set("finding", each.finding);
        if (!each.advice.empty()) item.set("advice", each.advice);
        items.push_back(std::move(item));
    }
    const auto count = [&](Severity severity) {
        return static_cast<std::int64_t>(
            std::ranges::count(findings, severity, &Finding::severity));
    };
    json::Value document = json::Object{};
    document.set("findings", std::move(items));
    document.set("problems", count(Severity::problem));
    document.set("warnings", count(Severity::warning));
    return document;
}

}  // namespace

std::string_view to_string(Severity severity) {
    switch (severity) {
        case Severity::good: return "OK";
        case Severity::info: return "INFO";
        case Severity::warning: return "WARNING";
        case Severity::problem: return "PROBLEM";
    }
    return "";
}

Result<json::Value> examine_store(const StoreChoice& choice) {
    const Result<ServerConfig> config = read_config_of(choice);
    if (!config) return config.error();
    return document_of(all_findings(*config));
}

}  // namespace millrace
