#include "store/postgres/transaction.hpp"

#include <string>

namespace millrace::postgres {

namespace {

constexpr std::size_t kSettings = 6;  // They come first in the answer.

std::string milliseconds(Duration duration) {
    return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

}  // namespace

ConnectionOptions connection_options(const PostgresOptions& options) {
    ConnectionOptions connection{.target = options.target,
                                 .prepared_statements = options.prepared_statements,
                                 .answer_patience = options.answer_patience,
                                 .on_trouble = options.on_trouble,
                                 .before_call = options.before_call};
    if (options.connection_counts) connection.counts = options.connection_counts;
    return connection;
}

std::vector<Call> opening(const char* begin, const PostgresOptions& options, Planning planning) {
    Parameters parameters;
    parameters.add(std::string_view(milliseconds(options.statement_timeout)));
    parameters.add(std::string_view(milliseconds(options.lock_timeout)));
    parameters.add(
        std::string_view(planning == Planning::once ? "force_generic_plan" : "force_custom_plan"));
    parameters.add(std::string_view(milliseconds(options.idle_timeout)));
    std::vector<Call> calls;
    calls.reserve(20);
    calls.push_back(command(begin));
    calls.push_back(call(sql::configure_transaction, std::move(parameters)));
    return calls;
}

Result<std::vector<Rows>> run_transaction(Connection& connection, const char* begin,
                                          const PostgresOptions& options, std::vector<Call> work) {
    if (const Status status = connection.open(); !status) return status.error();
    std::vector<Call> calls = opening(begin, options);
    for (Call& each : work) calls.push_back(std::move(each));
    calls.push_back(commit());
    Result<std::vector<Rows>> answers = connection.run(calls);
    if (!answers) {
        // Closed if that fails, and so rolled back.
        if (connection.is_open()) (void)connection.run({command("ROLLBACK")});
        return answers;
    }
    answers->pop_back();
    answers->erase(answers->begin(), answers->begin() + kOpeningCalls);
    return answers;
}

Result<Instant> read_clock(Connection& connection) {
    if (const Status status = connection.open(); !status) return status.error();
    const Result<std::vector<Rows>> answers = connection.run({call(sql::read_clock)});
    if (!answers) return answers.error();
    return Fields(answers->front(), 0).instant();
}

TransactionName transaction_name(const std::vector<Rows>& answers) {
    Fields fields(answers[1], 0, kSettings);
    TransactionName name;
    name.pid = fields.int32();
    name.started_at = fields.instant();
    name.random = fields.id();
    return name;
}

}  // namespace millrace::postgres
