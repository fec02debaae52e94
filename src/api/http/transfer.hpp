#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace millrace::http {

using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

// What became of an attempt to read or write without waiting.
struct Transfer {
    enum class State {
        ok,
        would_block,
        ended,    // The other side sends nothing more.
        failed,   // The connection is of no use any more.
        refused,  // The two sides do not come to terms about encryption.
    };

    State state = State::ok;
    std::size_t bytes = 0;
};

// The bytes as they are on the wire. The socket does not block.
Transfer read_wire(Socket& socket, std::span<char> buffer);
Transfer write_wire(Socket& socket, std::string_view bytes);

}  // namespace millrace::http
