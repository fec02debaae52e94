#include "support/postgres_server.hpp"

#include <libpq-fe.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "base/check.hpp"

namespace millrace {

namespace {

const char* server_url() {
    const char* url = std::getenv("MILLRACE_TEST_POSTGRES");
    if (url == nullptr) {
        std::fputs("This test needs a PostgreSQL: run it through tools/with_postgres.py.\n",
                   stderr);
        std::exit(1);
    }
    return url;
}

std::string new_name() {
    static std::atomic<int> count = 0;
    return "test_" + std::to_string(getpid()) + "_" + std::to_string(++count);
}

}  // namespace

void PostgresSession::Finish::operator()(pg_conn* connection) const {
    PQfinish(connection);
}

PostgresSession::PostgresSession(const std::string& target)
    : connection_(PQconnectdb(target.c_str())) {
    MILLRACE_CHECK(PQstatus(connection_.get()) == CONNECTION_OK);
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
}

std::string PostgresSession::run(const std::string& text) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(
        PQexec(connection_.get(), text.c_str()), &PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    const bool is_done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!is_done) std::fputs(PQresultErrorMessage(result.get()), stderr);
    MILLRACE_CHECK(is_done);
    std::string text_of_rows;
    for (int row = 0; row < PQntuples(result.get()); ++row) {
        if (row > 0) text_of_rows += '\n';
        text_of_rows += PQgetvalue(result.get(), row, 0);
    }
    return text_of_rows;
}

PostgresSchema::PostgresSchema() : name_(new_name()) {
    PostgresSession session(server_url());
    session.run("DROP SCHEMA IF EXISTS " + name_ + " CASCADE; CREATE SCHEMA " + name_);
}

PostgresSchema::~PostgresSchema() {
    PostgresSession(server_url()).run("DROP SCHEMA " + name_ + " CASCADE");
}

std::string PostgresSchema::target() const {
    const std::string url = server_url();
    const char separator = url.find('?') == std::string::npos ? '?' : '&';
    return url + separator + "options=-csearch_path%3D" + name_;
}

std::string PostgresSchema::target_at_port(int port) const {
    return "postgresql://postgres@127.0.0.1:" + std::to_string(port) +
           "/postgres?sslmode=disable&options=-csearch_path%3D" + name_;
}

std::string PostgresSchema::socket_path() const {
    PostgresSession session(server_url());
    return session.run("SHOW unix_socket_directories") + "/.s.PGSQL." + session.run("SHOW port");
}

}  // namespace millrace
