#include "api/http/transfer.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

namespace millrace::http {

namespace {

namespace asio = boost::asio;

Transfer outcome(const boost::system::error_code& error, std::size_t bytes) {
    if (!error) return {.state = Transfer::State::ok, .bytes = bytes};
    if (error == asio::error::would_block || error == asio::error::try_again) {
        return {.state = Transfer::State::would_block};
    }
    return {.state = error == asio::error::eof ? Transfer::State::ended : Transfer::State::failed};
}

}  // namespace

Transfer read_wire(Socket& socket, std::span<char> buffer) {
    boost::system::error_code error;
    const std::size_t bytes = socket.read_some(asio::buffer(buffer.data(), buffer.size()), error);
    return outcome(error, bytes);
}

Transfer write_wire(Socket& socket, std::string_view bytes) {
    boost::system::error_code error;
    const std::size_t written = socket.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    return outcome(error, written);
}

}  // namespace millrace::http
