#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <array>
#include <string>
#include <string_view>

#include "support/raw_http_client.hpp"

namespace millrace {

struct TlsOffer {
    int version_min = TLS1_2_VERSION;
    int version_max = TLS1_3_VERSION;
    std::string protocols = "\x08http/1.1";  // Each with its length in front; empty offers none.
};

// An encrypted connection, on top of one that sends exactly what a test says.
class TlsClient {
public:
    explicit TlsClient(std::uint16_t port, const TlsOffer& offer = {}, int receive_buffer_bytes = 0)
        : wire_(port, receive_buffer_bytes), context_(SSL_CTX_new(TLS_client_method())) {
        SSL_CTX_set_min_proto_version(context_, offer.version_min);
        SSL_CTX_set_max_proto_version(context_, offer.version_max);
        SSL_CTX_set_cipher_list(context_, "ALL:@SECLEVEL=0");  // Old versions need old digests.
        SSL_CTX_set_options(context_, SSL_OP_IGNORE_UNEXPECTED_EOF);
        connection_ = SSL_new(context_);
        if (!offer.protocols.empty()) {
            SSL_set_alpn_protos(connection_,
                                reinterpret_cast<const unsigned char*>(offer.protocols.data()),
                                static_cast<unsigned>(offer.protocols.size()));
        }
        SSL_set_fd(connection_, wire_.descriptor());
        is_connected_ = SSL_connect(connection_) == 1;
    }
    ~TlsClient() {
        SSL_free(connection_);
        SSL_CTX_free(context_);
    }

    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;

    bool is_connected() const { return is_connected_; }
    std::string_view version() const { return SSL_get_version(connection_); }
    std::string protocol() const {
        const unsigned char* name = nullptr;
        unsigned size = 0;
        SSL_get0_alpn_selected(connection_, &name, &size);
        return {reinterpret_cast<const char*>(name), size};
    }
    long certificate_serial() const {
        X509* certificate = SSL_get1_peer_certificate(connection_);
        const long serial = ASN1_INTEGER_get(X509_get_serialNumber(certificate));
        X509_free(certificate);
        return serial;
    }

    void send(std::string_view bytes) {
        std::size_t sent = 0;
        SSL_write_ex(connection_, bytes.data(), bytes.size(), &sent);
    }
    // Asks the server to answer with new keys, too.
    void change_keys() { SSL_key_update(connection_, SSL_KEY_UPDATE_REQUESTED); }

    // One answer with its body, read without hurry; status 0 when the connection ends before.
    RawResponse receive() {
        std::size_t head_end = 0;
        while ((head_end = received_.find("\r\n\r\n")) == std::string::npos) {
            if (!receive_more()) return {};
        }
        RawResponse response{.head = received_.substr(0, head_end + 2)};
        response.status = std::atoi(response.head.c_str() + 9);
        const std::size_t begin = head_end + 4;
        const std::size_t length = RawHttpClient::content_length(response.head);
        while (received_.size() < begin + length) {
            if (!receive_more()) return {};
        }
        response.body = received_.substr(begin, length);
        received_.erase(0, begin + length);
        return response;
    }
    RawResponse exchange(std::string_view bytes) {
        send(bytes);
        return receive();
    }
    // Everything until the server closes.
    std::string receive_rest() {
        while (receive_more()) {
        }
        return received_;
    }
    // True when the server has said goodbye and nothing is left to read.
    bool is_at_orderly_end() {
        return received_.empty() && !receive_more() &&
               (SSL_get_shutdown(connection_) & SSL_RECEIVED_SHUTDOWN) != 0;
    }

    void say_goodbye() { SSL_shutdown(connection_); }
    RawHttpClient& wire() { return wire_; }

private:
    bool receive_more() {
        std::array<char, 65536> buffer;
        std::size_t count = 0;
        if (SSL_read_ex(connection_, buffer.data(), buffer.size(), &count) != 1) return false;
        received_.append(buffer.data(), count);
        return true;
    }

    RawHttpClient wire_;
    SSL_CTX* context_;
    SSL* connection_;
    bool is_connected_ = false;
    std::string received_{};
};

}  // namespace millrace
