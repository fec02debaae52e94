#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/http/connection.hpp"
#include "api/http/loop.hpp"
#include "api/http/stream_channel.hpp"

namespace millrace::http {

// One connection: reads requests, hands each to the service, writes the answers in order. Requests
// that came together are answered together, with one write; while one waits for its answer, those
// behind it wait too. Lives in its loop's thread and as long as the loop keeps it.
class Session final : public Connection,
                      public Recipient,
                      public std::enable_shared_from_this<Session> {
public:
    Session(Loop& loop, TcpStream stream);
    ~Session() override;

    void start() override;
    void drain() override;
    void close() override;
    void check_deadline(std::uint64_t ticks) override;
    void answer(HttpResponse response) override;
    void admit(std::string client) override;
    void go_on(const std::shared_ptr<StreamChannel>& stream) override;

private:
    class Waiting;  // The Exchange of the request that waits.

    // Admitting: the header is here, and whether the body may come is being found out. Streaming:
    // the answer has begun and its body follows. Closing: the last answer is being written.
    // Lingering: it is, and the client may read it.
    enum class State { idle, reading, admitting, handling, streaming, closing, lingering, closed };

    void wait_for_input();
    void read_input();
    void take_input(std::string_view bytes);
    void on_input_ended();
    void serve();
    std::size_t read_requests(std::string_view bytes);
    void begin_request();
    void note_client(HttpRequest& request) const;
    void ask_for_admission();
    void let_body_come(std::string client);
    bool has_room_for_body();
    void dispatch();
    void refuse_for_room();
    void reject(const Rejection& rejection);
    void give(HttpResponse response);
    void begin_stream(const std::shared_ptr<StreamChannel>& stream);
    void stream_on();
    void end_stream();
    void cut_endless_stream();
    ResponseFrame frame(Instant now = {}) const;
    void flush();
    void wait_for_output();
    void refuse_encryption();
    void linger();
    bool may_read_requests() const;
    bool is_client_behind() const;
    void set_deadline();

    Loop& loop_;
    TcpStream stream_;
    const std::string remote_address_;
    std::shared_ptr<const CertificateNames> client_names_{};  // Since the handshake.
    State state_ = State::idle;
    bool is_handshaking_ = false;
    bool is_waiting_for_input_ = false;
    bool is_write_blocked_ = false;
    bool is_input_ended_ = false;
    bool keep_alive_ = true;
    bool is_http10_ = false;
    std::uint64_t deadline_ = 0;  // In ticks of the loop; 0 is none.
    std::size_t lingered_bytes_ = 0;
    std::string input_{};                                  // Read, not yet understood.
    std::string output_{};                                 // Not yet written.
    std::size_t output_written_ = 0;                       // Of `output_`.
    std::vector<std::function<void()>> on_undelivered_{};  // Of the answers in `output_`.
    std::unique_ptr<RequestReader> reader_{};
    BodyBudget::Share body_share_{};  // Of the request that is being read.
    std::weak_ptr<Waiting> waiting_{};
    std::shared_ptr<StreamChannel> stream_body_{};  // While streaming.
    Trail trail_{};
};

}  // namespace millrace::http
