#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/grpc/stream.hpp"
#include "api/http/connection.hpp"
#include "api/http/loop.hpp"

// Of nghttp2, whose header stays in .cpp files.
struct nghttp2_session;

namespace millrace::rpc {

class Calls;

// One client's connection: HTTP/2, as nghttp2 reads and writes it, and the calls that share it.
// What strangers may take is bounded before it is taken: calls, resets, headers, messages whose
// sender nobody knows yet, answers that nobody reads.
class Connection final : public http::Connection, public std::enable_shared_from_this<Connection> {
public:
    Connection(http::Loop& loop, http::TcpStream stream, Calls& calls);
    ~Connection() override;

    void start() override;
    void drain() override;
    void close() override;
    void check_deadline(std::uint64_t ticks) override;

    http::Loop& loop() { return loop_; }
    const std::string& remote_address() const { return remote_address_; }
    std::shared_ptr<const http::CertificateNames> client_names();
    bool is_other_side_gone() { return tcp_.is_other_side_gone(); }
    // Requests that somebody works on, of calls that may be gone meanwhile.
    const std::shared_ptr<std::atomic<int>>& busy() const { return busy_; }

    // What a delivery has put into streams goes out.
    void serve();

private:
    friend class Stream;
    struct Callbacks;  // What nghttp2 calls: connection_callbacks.cpp.

    nghttp2_session* new_session();
    void wait_for_input();
    void read_input();
    void take_input(std::string_view bytes);
    bool may_read() const;
    void flush();
    bool fill_output();
    void wait_for_output();
    void tell_of_writes();
    void begin_call(Stream& stream);
    void half_close(Stream& stream);
    // For streams.
    void begin_answer(Stream& stream);
    void acknowledge(Stream& stream);
    void note_reset();
    void forget(std::int32_t id, bool is_complete);
    void end_stuck(Instant now);
    void look_after_silence(std::uint64_t ticks);
    void refuse_other_protocol();
    Stream* find(std::int32_t id);

    http::Loop& loop_;
    http::TcpStream tcp_;
    Calls& calls_;
    const std::string remote_address_;
    std::shared_ptr<const http::CertificateNames> client_names_{};
    nghttp2_session* session_ = nullptr;
    std::unordered_map<std::int32_t, std::unique_ptr<Stream>> streams_{};
    const std::shared_ptr<std::atomic<int>> busy_ = std::make_shared<std::atomic<int>>(0);
    bool is_closed_ = false;
    bool is_serving_ = false;
    bool is_goodbye_said_ = false;
    bool is_to_close_ = false;  // When all is written.
    bool is_waiting_for_input_ = false;
    bool is_input_ended_ = false;
    bool is_write_blocked_ = false;
    bool is_pinged_ = false;
    bool has_spoken_ = false;             // The client's first frame was understood.
    std::uint64_t silence_deadline_ = 0;  // In ticks of the loop.
    std::uint64_t write_deadline_ = 0;
    double resets_left_;
    Instant resets_at_{};
    std::string output_{};
    std::size_t output_written_ = 0;
    std::vector<std::int32_t> emptied_{};                  // Streams that had all of theirs taken.
    std::vector<std::function<void()>> on_undelivered_{};  // Of answers in `output_`.
};

}  // namespace millrace::rpc
