#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace millrace {

// A proxy on a port of 127.0.0.1 before another one, which cuts connections.
class TcpProxy {
public:
    explicit TcpProxy(int upstream_port);
    ~TcpProxy();
    TcpProxy(const TcpProxy&) = delete;
    TcpProxy& operator=(const TcpProxy&) = delete;

    int port() const { return port_; }
    // Ends all connections, as the loss of a machine does. New ones are accepted.
    void cut();
    // The same, and new ones are refused from now on.
    void close();

private:
    void accept_all();
    void serve(int client, int cuts);

    const int upstream_port_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<int> cuts_ = 0;  // A connection lives as long as this does not change.
    std::atomic<bool> is_closed_ = false;
    std::vector<std::thread> servers_{};
    std::thread acceptor_;
};

}  // namespace millrace
