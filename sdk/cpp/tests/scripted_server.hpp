#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace millrace::client {

struct Received {
    std::string method{};
    std::string target{};
    std::string body{};
    // By name in lower case.
    std::map<std::string, std::string> headers{};
    // 1 for the first connection that the server accepted, and so on.
    int connection = 0;

    // Empty when it was not sent.
    std::string header(const std::string& name) const {
        const auto found = headers.find(name);
        return found == headers.end() ? "" : found->second;
    }
};

// What the server does with a request.
struct Answer {
    // Sent as it stands; nothing at all means silence until the client closes the connection.
    std::string bytes{};
    bool close_after = false;
};

Answer json_answer(int status, const std::string& body);
Answer no_content();
// Closes the connection without a word.
Answer hang_up();

// PEM files of a server that speaks TLS.
struct TlsIdentity {
    std::string certificate_file{};
    std::string key_file{};
};

// A server of a few lines on a free port, that answers what a test tells it to. The script is
// called from a thread per connection.
class ScriptedServer {
public:
    using Script = std::function<Answer(const Received&)>;

    explicit ScriptedServer(Script script, TlsIdentity tls = {});
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    std::string url() const;
    int connections() const;
    // The request that came last.
    Received latest() const;

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace millrace::client
