#include "api/grpc/reflection_call.hpp"

#include <atomic>

#include "api/grpc/buffers.hpp"
#include "core/limits.hpp"

namespace millrace::rpc {

namespace {

// A name of a file or of a symbol: the longest of ours has some eighty bytes.
constexpr std::size_t kQuestionBytesMax = 1'024;
// Tools ask once for each service and for each file. Whoever needs more calls again.
constexpr int kQuestionsMax = 1'000;
// Each holds one answer at most, of some hundred kilobytes.
constexpr std::size_t kReflectionCallsMax = 64;

grpc::Status too_much(const char* what) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, what};
}

}  // namespace

// One conversation: an answer to each message, until the client has no more. Deletes itself.
//
// There always is a read or a write under way, and so a reaction that ends the call when the client
// is gone or the server stops.
class ReflectionCall final : public grpc::ServerGenericBidiReactor {
public:
    ReflectionCall(ReflectionCalls& calls, grpc::GenericCallbackServerContext& context)
        : calls_(calls), context_(context), since_(calls.now()) {}

    void refuse() { Finish(too_much("Too many ask at once what this server offers.")); }
    void read() { StartRead(&message_); }

    // Before OnDone() alone.
    void end_if_idle(Instant now) {
        if (now - since_.load() > limits::kHttpReadTimeout) context_.TryCancel();
    }

    void OnReadDone(bool is_ok) override {
        if (!is_ok) return Finish(grpc::Status::OK);
        if (message_.Length() > kQuestionBytesMax) return Finish(too_much("It is no such name."));
        if (++questions_ > kQuestionsMax) return Finish(too_much("Call again to ask for more."));
        since_ = calls_.now();
        reply_ = buffer_of(calls_.reflection().answer(taken_bytes(message_)));
        StartWrite(&reply_);
    }
    void OnWriteDone(bool is_ok) override {
        if (!is_ok) return Finish(grpc::Status::CANCELLED);
        reply_.Clear();
        since_ = calls_.now();
        read();
    }
    void OnDone() override {
        calls_.remove(*this);
        delete this;
    }

private:
    ReflectionCalls& calls_;
    grpc::GenericCallbackServerContext& context_;
    std::atomic<Instant> since_;  // The client has done nothing.
    int questions_ = 0;
    grpc::ByteBuffer message_{};
    grpc::ByteBuffer reply_{};
};

grpc::ServerGenericBidiReactor* ReflectionCalls::start(
    grpc::GenericCallbackServerContext& context) {
    auto* call = new ReflectionCall(*this, context);
    bool is_refused = false;
    {
        const MutexLock lock(mutex_);
        is_refused = open_.size() >= kReflectionCallsMax;
        if (!is_refused) open_.insert(call);
    }
    if (is_refused) {
        call->refuse();
    } else {
        call->read();
    }
    return call;
}

// With the lock, so that gRPC still has them. It tells the calls by threads of its own.
void ReflectionCalls::end_idle() {
    const Instant now = clock_.now();
    const MutexLock lock(mutex_);
    for (ReflectionCall* call : open_) call->end_if_idle(now);
}

void ReflectionCalls::remove(ReflectionCall& call) {
    const MutexLock lock(mutex_);
    open_.erase(&call);
}

}  // namespace millrace::rpc
