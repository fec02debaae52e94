#include "api/grpc/message_reader.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace millrace::rpc {
namespace {

std::vector<std::string> read_in_pieces(std::string_view bytes, std::size_t piece_bytes) {
    MessageReader reader(1'000);
    std::vector<std::string> messages;
    for (std::size_t at = 0; at < bytes.size(); at += piece_bytes) {
        reader.feed(bytes.substr(at, piece_bytes));
        while (auto message = reader.take()) messages.push_back(std::move(*message));
    }
    EXPECT_TRUE(reader.is_empty());
    return messages;
}

TEST(MessageReader, TakesMessagesHoweverTheyArriveInPieces) {
    const std::vector<std::string> messages{"", "a", std::string(999, 'x'), "", "\0b"};
    std::string bytes;
    for (const std::string& message : messages) bytes += framed(message);
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
        ASSERT_EQ(read_in_pieces(bytes, piece), messages) << piece;
    }
}

TEST(MessageReader, TellsTheLengthBeforeTheMessageIsHere) {
    MessageReader reader(1'000);
    EXPECT_EQ(reader.length(), std::nullopt);
    reader.feed(framed("abc").substr(0, 5));
    EXPECT_EQ(reader.length(), 3U);
    EXPECT_EQ(reader.take(), std::nullopt);
}

TEST(MessageReader, RefusesWhatIsTooLargeByItsFirstBytes) {
    MessageReader reader(1'000);
    reader.feed(std::string("\0\xff\xff\xff\xff", 5));
    EXPECT_EQ(reader.trouble(), MessageReader::Trouble::too_large);
    reader.feed(std::string(100, 'x'));
    EXPECT_EQ(reader.take(), std::nullopt);
}

TEST(MessageReader, RefusesWhatIsCompressed) {
    MessageReader reader(1'000);
    reader.feed(std::string("\1\0\0\0\1x", 6));
    EXPECT_EQ(reader.trouble(), MessageReader::Trouble::compressed);
    EXPECT_EQ(reader.take(), std::nullopt);
}

}  // namespace
}  // namespace millrace::rpc
