#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <span>
#include <string_view>

namespace millrace::http {

// The bytes of one connection: reads and writes that never block, and waiting until they would not.
// A connection that encrypts has the same functions.
class TcpStream {
public:
    using Executor = boost::asio::io_context::executor_type;
    using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;

    enum class State { ok, would_block, ended, failed };
    struct Transfer {
        State state = State::ok;
        std::size_t bytes = 0;
    };

    explicit TcpStream(Socket socket);

    Transfer read_some(std::span<char> buffer);
    Transfer write_some(std::string_view bytes);

    // The handler is called with an error_code; one that is set means that the stream was closed.
    template <class WaitHandler>
    void wait_readable(WaitHandler handler) {
        socket_.async_wait(Socket::wait_read, std::move(handler));
    }
    template <class WaitHandler>
    void wait_writable(WaitHandler handler) {
        socket_.async_wait(Socket::wait_write, std::move(handler));
    }

    // Tells the other side that nothing more comes.
    void shut_down_sending();
    void close();

private:
    Socket socket_;
};

}  // namespace millrace::http
