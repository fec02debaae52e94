#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.hpp"

namespace millrace {

// Where a connection to PostgreSQL is cut. All of them happen at a COMMIT.
enum class Cut {
    none,
    before_commit,            // The server gets all but the COMMIT; both ends see the cut.
    before_commit_half_open,  // The same, but the server sees nothing: it waits for its client.
    after_sending,            // The server gets all and goes on; only the client sees the cut.
    before_reply,             // The server has answered; the answer is lost, both ends see the cut.
};

// A proxy on a port of 127.0.0.1 before the server's socket.
class CuttingProxy {
public:
    explicit CuttingProxy(std::string socket_path);
    ~CuttingProxy();
    CuttingProxy(const CuttingProxy&) = delete;
    CuttingProxy& operator=(const CuttingProxy&) = delete;

    int port() const { return port_; }
    // The next COMMIT is cut so, or each one from now on.
    void arm(Cut cut) {
        is_armed_once_ = true;
        armed_ = cut;
    }
    void arm_for_all(Cut cut) {
        is_armed_once_ = false;
        armed_ = cut;
    }

private:
    void accept_all();
    void serve(int client);
    // Passes on what the client has sent. False when the connection is over.
    bool pass_on(int client, int server, bool is_logged_in);
    // Keeps the server from seeing that its client is gone.
    void keep_open(int server);
    void cut(Cut cut, int server, const std::string& sent, std::size_t commit_at);

    const std::string socket_path_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<Cut> armed_ = Cut::none;
    std::atomic<bool> is_armed_once_ = true;
    std::atomic<bool> is_stopping_ = false;
    Mutex mutex_;
    std::vector<int> half_open_ MILLRACE_GUARDED_BY(mutex_);
    std::vector<std::thread> servers_;
    std::thread acceptor_;
};

}  // namespace millrace
