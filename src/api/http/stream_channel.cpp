#include "api/http/stream_channel.hpp"

#include <utility>

#include "core/limits.hpp"

namespace millrace::http {

StreamChannel::StreamChannel(HttpResponse head, StreamKind kind, Wake wake)
    : head_(std::move(head)), kind_(kind), wake_(std::move(wake)) {}

bool StreamChannel::write(std::string_view bytes) {
    bool is_accepted = true;
    {
        const MutexLock lock(mutex_);
        if (state_ != State::open) return false;
        if (pending_.size() + taken_bytes_ > limits::kStreamBytesBehindMax) {
            state_ = State::cut_off;
            is_accepted = false;
        } else {
            pending_ += bytes;
        }
    }
    wake();
    return is_accepted;
}

void StreamChannel::end(StreamEnd why) {
    std::function<void()> closed_hook;  // Destroyed outside the lock: it may hold the sender.
    {
        const MutexLock lock(mutex_);
        if (state_ != State::open) return;
        state_ = State::ended;
        why_ = why;
        std::swap(closed_hook, on_closed_);
    }
    wake();
}

void StreamChannel::abandon() {
    {
        const MutexLock lock(mutex_);
        if (state_ != State::open) return;
        state_ = State::cut_off;
    }
    wake();
}

bool StreamChannel::is_open() const {
    const MutexLock lock(mutex_);
    return state_ == State::open;
}

std::size_t StreamChannel::buffered() const {
    const MutexLock lock(mutex_);
    return pending_.size() + taken_bytes_;
}

// Never called from in here, even when all is drained: a sender that goes on in its hook would
// call itself, deeper and deeper.
void StreamChannel::on_drained(std::function<void()> hook) {
    {
        const MutexLock lock(mutex_);
        std::swap(on_drained_, hook);
    }
    wake();
}

void StreamChannel::on_closed(std::function<void()> hook) {
    {
        const MutexLock lock(mutex_);
        if (state_ == State::ended) return;
        if (state_ != State::closed) {
            std::swap(on_closed_, hook);
            return;
        }
    }
    hook();
}

StreamChannel::Piece StreamChannel::take() {
    const MutexLock lock(mutex_);
    is_wake_under_way_ = false;
    Piece piece{
        .bytes = std::exchange(pending_, {}),
        .is_end = state_ == State::ended,
        .why = why_,
    };
    taken_bytes_ += piece.bytes.size();
    return piece;
}

void StreamChannel::note_written() {
    std::function<void()> hook;
    {
        const MutexLock lock(mutex_);
        taken_bytes_ = 0;
        if (is_drained()) std::swap(hook, on_drained_);
    }
    if (hook) hook();
}

void StreamChannel::close() {
    std::function<void()> drained_hook;
    std::function<void()> closed_hook;
    {
        const MutexLock lock(mutex_);
        is_wake_under_way_ = false;
        if (state_ != State::ended) state_ = State::closed;
        std::string().swap(pending_);
        taken_bytes_ = 0;
        std::swap(drained_hook, on_drained_);
        std::swap(closed_hook, on_closed_);
    }
    if (closed_hook) closed_hook();
    if (drained_hook) drained_hook();
}

bool StreamChannel::is_cut_off() const {
    const MutexLock lock(mutex_);
    return state_ == State::cut_off;
}

void StreamChannel::wake() {
    {
        const MutexLock lock(mutex_);
        if (std::exchange(is_wake_under_way_, true)) return;
    }
    wake_(shared_from_this());
}

}  // namespace millrace::http
