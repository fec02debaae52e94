#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/optional.hpp>

#include <cstdint>
#include <string>

namespace millrace::client {

// The body of an answer for Beast's parser: what has come and was not yet taken away. Unlike its
// own body of a string it believes no Content-Length and reserves nothing.
struct ReplyBody {
    using value_type = std::string;

    class reader {
    public:
        template <bool is_request, class Fields>
        explicit reader(boost::beast::http::header<is_request, Fields>&, value_type& body)
            : body_(body) {}

        void init(const boost::optional<std::uint64_t>&, boost::system::error_code& error) {
            error = {};
        }

        template <class Buffers>
        std::size_t put(const Buffers& buffers, boost::system::error_code& error) {
            error = {};
            std::size_t count = 0;
            for (auto each = boost::asio::buffer_sequence_begin(buffers);
                 each != boost::asio::buffer_sequence_end(buffers); ++each) {
                const boost::asio::const_buffer piece = *each;
                body_.append(static_cast<const char*>(piece.data()), piece.size());
                count += piece.size();
            }
            return count;
        }

        void finish(boost::system::error_code& error) { error = {}; }

    private:
        value_type& body_;
    };
};

}  // namespace millrace::client
