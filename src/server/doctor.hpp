#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"
#include "config/server_config.hpp"
#include "executor/remote_executor.hpp"
#include "server/local_store.hpp"
#include "store/postgres/examine.hpp"
#include "store/sqlite/examine.hpp"

namespace millrace {

// good and info need nobody. warning: look into it soon. problem: something does not work, or data
// is at risk.
enum class Severity { good, info, warning, problem };
std::string_view to_string(Severity severity);

struct Finding {
    Severity severity = Severity::good;
    std::string check{};    // What was looked at, in one word.
    std::string finding{};  // A sentence with what was seen.
    std::string advice{};   // What to do; empty when there is nothing.

    friend bool operator==(const Finding&, const Finding&) = default;
};

// What is good and bad about a store. One finding at least for each check.
std::vector<Finding> judge(const postgres::Facts& facts, const PostgresSettings& settings);
std::vector<Finding> judge(const sqlite::Facts& facts);

// A target of remote runs, as it answered a question about its namespace.
struct TargetAnswer {
    std::string target{};
    std::string address{};
    CallResult<NamespaceReport> result{};
};
Finding judge(const TargetAnswer& answer);
// One finding for each target of the configuration; asks them all at once.
std::vector<Finding> examine_targets(const ServerConfig& config);

// `millrace doctor`: looks at a store, and at the targets of remote runs, and judges them, as
// {"findings": [{"severity", "check", "finding", "advice"}, …], "problems": N, "warnings": N}.
Result<json::Value> examine_store(const StoreChoice& choice);

}  // namespace millrace
