#pragma once

#include <memory>
#include <string>

struct pg_conn;

namespace millrace {

// A session of a test beside the store under test. Aborts when the server refuses something.
class PostgresSession {
public:
    explicit PostgresSession(const std::string& target);

    // Runs statements; gives back the first field of each row, one to a line.
    std::string run(const std::string& text);

private:
    struct Finish {
        void operator()(pg_conn* connection) const;
    };
    std::unique_ptr<pg_conn, Finish> connection_;
};

// An empty schema of its own for a test, on the server that tools/with_postgres.py has started;
// gone with this object. Without a server the program ends with a sentence that says so.
class PostgresSchema {
public:
    PostgresSchema();
    ~PostgresSchema();
    PostgresSchema(const PostgresSchema&) = delete;
    PostgresSchema& operator=(const PostgresSchema&) = delete;

    // The target of connections that live in this schema, on the server or on a proxy before it.
    std::string target() const;
    std::string target_at_port(int port) const;
    // The file of the server's socket.
    std::string socket_path() const;

private:
    std::string name_;
};

}  // namespace millrace
