#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/connection.hpp"

struct pg_conn;
struct pg_result;

namespace millrace::postgres {

// Some calls on their way to the server and their answers on the way back, in libpq's pipeline
// mode: send, then receive, then the outcome.
class RoundTrip {
public:
    using Prepared = std::array<bool, sql::kStatements.size()>;

    // Without a list of what is prepared, nothing is.
    RoundTrip(pg_conn& connection, Prepared* prepared, std::optional<Duration> answer_patience)
        : connection_(connection), prepared_(prepared), answer_patience_(answer_patience) {}

    void send(std::span<const Call> calls);
    void receive(std::span<const Call> calls);

    // Empty when all calls were done.
    std::optional<Error> error() const;
    // What the server says about the call that failed, for the log. Empty when it is about data, or
    // when the connection was lost without a word.
    const std::string& trouble() const { return trouble_; }
    // Whether the server has nothing more to say.
    bool is_over() const { return is_over_; }
    std::vector<Rows> take_answers() { return std::move(answers_); }

private:
    bool send_one(const Call& call);
    bool prepare(const sql::Statement& statement);
    void receive_preparation(const Call& call);
    void receive_answer(const Call& call);
    // Waits until there is something to take. False: the server has been silent for too long.
    bool await_answer();
    // The next answer, which a null follows. Null when the connection is lost.
    pg_result* next_result();
    void note_failure(const Call& call, const pg_result* result);
    void note_trouble(const Call& call, std::string_view sqlstate, std::string_view message);
    void refuse(const Call& call, std::string_view sqlstate);

    pg_conn& connection_;
    Prepared* prepared_;
    const std::optional<Duration> answer_patience_;
    std::vector<const sql::Statement*> preparing_;  // Null for calls that need none.
    std::vector<Rows> answers_;
    std::optional<Error> refusal_;
    std::string trouble_;
    bool is_lost_ = false;
    bool is_over_ = false;
    bool commit_in_doubt_ = false;
    bool is_committed_ = false;
};

}  // namespace millrace::postgres
