#include "event_parser.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::client {
namespace {

constexpr std::string_view kStream =
    ": keep-alive\n\n"
    "id: 1\nevent: step\ndata: {\"a\":1}\n\n"
    "id: 2\r\nevent: instance\r\ndata:{\r\ndata:  }\r\n\r\n"
    "event: nothing\n\n"
    "retry: 5\nunknown\ndata: plain\n\n"
    "id: 3\ndata: unfinished";

const std::vector<ServerEvent> kEvents{
    {"1", "step", "{\"a\":1}"}, {"2", "instance", "{\n }"}, {"2", "", "plain"}};

std::vector<ServerEvent> parsed(std::string_view text, std::size_t piece) {
    std::vector<ServerEvent> events;
    EventParser parser([&](const ServerEvent& event) {
        events.push_back(event);
        return true;
    });
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
        EXPECT_TRUE(parser.feed(text.substr(0, piece)));
    }
    return events;
}

TEST(EventParser, FindsTheSameEventsInAnyPieces) {
    for (std::size_t piece = 1; piece <= kStream.size(); ++piece) {
        EXPECT_EQ(parsed(kStream, piece), kEvents) << piece;
    }
}

TEST(EventParser, EndsWhenTheCallbackHasEnough) {
    int count = 0;
    EventParser parser([&](const ServerEvent&) { return ++count < 2; });
    EXPECT_FALSE(parser.feed(kStream));
    EXPECT_EQ(count, 2);
}

}  // namespace
}  // namespace millrace::client
