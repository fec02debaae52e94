#include "observe/line_writer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace millrace::observe {
namespace {

class LineWriterTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(pipe2(ends_.data(), O_NONBLOCK), 0); }
    void TearDown() override {
        close(ends_[0]);
        close(ends_[1]);
    }

    std::string read_all() const {
        std::string text;
        std::array<char, 65536> chunk{};
        ssize_t count = 0;
        while ((count = read(ends_[0], chunk.data(), chunk.size())) > 0) {
            text.append(chunk.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

    std::array<int, 2> ends_{-1, -1};
};

TEST_F(LineWriterTest, WritesLines) {
    LineWriter writer(ends_[1]);
    writer.write("one\n");
    writer.write("two\n");
    EXPECT_EQ(read_all(), "one\ntwo\n");
}

TEST_F(LineWriterTest, EndsALineThatFoundNoRoom) {
    LineWriter writer(ends_[1]);
    const std::string large = std::string(200'000, 'x') + "\n";  // A pipe takes 64 KiB.
    writer.write(large);
    writer.write("lost\n");
    const std::string cut = read_all();
    EXPECT_EQ(cut, std::string(cut.size(), 'x'));
    writer.write("next\n");
    EXPECT_EQ(read_all(), "\nnext\n");
}

TEST_F(LineWriterTest, SurvivesAFullDisk) {
    const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(full, 0);
    LineWriter writer(full);
    writer.write("no room for this\n");
    ASSERT_GE(dup2(ends_[1], full), 0);
    writer.write("room again\n");
    EXPECT_EQ(read_all(), "room again\n");
    close(full);
}

}  // namespace
}  // namespace millrace::observe
