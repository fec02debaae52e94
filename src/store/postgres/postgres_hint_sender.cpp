#include "store/postgres/postgres_hint_sender.hpp"

#include "store/postgres/hint_message.hpp"

namespace millrace::postgres {

PostgresHintSender::PostgresHintSender(PostgresOptions options)
    : options_(std::move(options)), connection_(connection_options(options_)) {}

Status PostgresHintSender::send(const Hint& hint) {
    Parameters parameters;
    parameters.add(std::string_view(write_hint({options_.replica_id, hint})));
    std::vector<Call> calls;
    calls.push_back(call(sql::send_hint, std::move(parameters)));
    const Result<std::vector<Rows>> answers =
        run_transaction(connection_, kBeginWriting, options_, std::move(calls));
    return answers ? ok() : Status(answers.error());
}

}  // namespace millrace::postgres
