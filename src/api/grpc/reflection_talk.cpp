#include "api/grpc/reflection_talk.hpp"

namespace millrace::rpc {

namespace {

// A name of a file or of a symbol: the longest of ours has some eighty bytes.
constexpr std::size_t kQuestionBytesMax = 1'024;
// Tools ask once for each service and for each file. Whoever needs more calls again.
constexpr int kQuestionsMax = 1'000;
constexpr int kReflectionCallsMax = 64;
// An answer has some hundred kilobytes at most. Whoever asks on without reading gets no more.
constexpr std::size_t kAnswersUnreadMax = 64;

CallStatus too_much(std::string what) {
    return {.code = Code::resource_exhausted, .message = std::move(what)};
}

}  // namespace

ReflectionTalk::ReflectionTalk(Calls& calls, Stream& stream)
    : calls_(calls), stream_(stream), since_(calls.service().clock().now()) {
    ++calls_.reflections();
}

ReflectionTalk::~ReflectionTalk() {
    --calls_.reflections();
}

void ReflectionTalk::begin() {
    if (calls_.reflections() > kReflectionCallsMax) {
        return stream_.finish(too_much("Too many ask at once what this server offers."));
    }
    stream_.read_on();
}

bool ReflectionTalk::has_room_for(std::size_t bytes) {
    if (bytes <= kQuestionBytesMax) return true;
    stream_.finish(too_much("It is no such name."));
    return false;
}

void ReflectionTalk::on_message(std::string message) {
    if (++questions_ > kQuestionsMax)
        return stream_.finish(too_much("Call again to ask for more."));
    if (++unread_ > kAnswersUnreadMax) return stream_.finish(too_much("Read the answers first."));
    since_ = calls_.service().clock().now();
    stream_.send(calls_.reflection().answer(message));
}

void ReflectionTalk::on_half_closed() {
    stream_.finish({});
}

void ReflectionTalk::on_written() {
    unread_ = 0;
    since_ = calls_.service().clock().now();
}

void ReflectionTalk::on_drain() {
    stream_.finish({.code = Code::unavailable, .message = "The server is stopping."});
}

void ReflectionTalk::on_tick(Instant now) {
    if (now - since_ <= limits::kHttpReadTimeout) return;
    stream_.finish({.code = Code::cancelled, .message = "Nothing was asked for too long."});
}

}  // namespace millrace::rpc
