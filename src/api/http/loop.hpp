#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "api/http/connection.hpp"
#include "api/http/mailbox.hpp"
#include "api/http/request_reader.hpp"
#include "api/http/service.hpp"
#include "api/http/session_count.hpp"
#include "api/http/tcp_stream.hpp"
#include "base/time.hpp"
#include "core/limits.hpp"

namespace millrace::http {

struct SessionLimits {
    RequestLimits request{};
    Duration read_timeout = limits::kHttpReadTimeout;    // From a request's first byte to its last.
    Duration write_timeout = limits::kHttpWriteTimeout;  // Without any progress.
    Duration idle_timeout = limits::kHttpIdleTimeout;    // Between requests.
    Duration linger_timeout = limits::kHttpLingerTimeout;  // For the client to read a last answer.
};

// One thread's worth of connections: what they share, and the thread's event loop. Everything but
// the mailbox and the functions that say so belongs to the thread that calls run().
class Loop {
public:
    Loop(Service& service, SessionLimits limits, SessionCount& session_count, MakeConnection make);
    ~Loop();

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Serves connections until end() is called.
    void run();

    // These may be called from any thread.
    // Encrypted when there is a `tls`.
    void adopt(Socket socket, std::shared_ptr<const TlsContext> tls);
    void drain();    // Closes idle connections, and the others after the answer they wait for.
    void cut_off();  // Closes all connections.
    void end();      // The same, and ends run().
    boost::asio::io_context& io() { return io_; }

    // For connections.
    Service& service() { return service_; }
    const SessionLimits& limits() const { return limits_; }
    const std::shared_ptr<Mailbox>& mailbox() const { return mailbox_; }
    bool is_draining() const { return is_draining_; }
    // Into here each connection reads, one after the other: those that wait need no memory for it.
    std::span<char> read_buffer() { return read_buffer_; }
    // Deadlines are counted in ticks: moving one, as every request does, costs nothing.
    std::uint64_t deadline_after(Duration timeout) const;
    void remove(Connection& connection);

private:
    void start_connection(TcpStream stream);
    void deliver();
    void tick();

    static constexpr std::size_t kReadBufferBytes = 64u << 10;

    Service& service_;
    const SessionLimits limits_;
    SessionCount& session_count_;
    boost::asio::io_context io_{1};
    boost::asio::steady_timer timer_{io_};
    const Duration tick_duration_;
    std::uint64_t ticks_ = 0;
    bool is_draining_ = false;
    std::vector<char> read_buffer_ = std::vector<char>(kReadBufferBytes);
    std::shared_ptr<Mailbox> mailbox_;
    const MakeConnection make_;
    std::vector<std::shared_ptr<Connection>> connections_{};
};

}  // namespace millrace::http
