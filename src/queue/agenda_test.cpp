#include "queue/agenda.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/jobs.hpp"

namespace millrace {
namespace {

class AgendaTest : public testing::Test {
protected:
    Agenda::Work saying(std::string word) {
        return [this, word = std::move(word)] {
            said_ += word;
        };
    }

    int wakes_ = 0;
    std::string said_;
    Agenda agenda_{[this] {
        wakes_ += 1;
    }};
};

TEST_F(AgendaTest, DoesWhatWasHandedOverInThatOrder) {
    agenda_.post(saying("a"));
    agenda_.post(saying("b"));
    EXPECT_EQ(wakes_, 1) << "one wake-up is enough until it runs";
    agenda_.run(kNoon);
    EXPECT_EQ(said_, "ab");
    agenda_.post(saying("c"));
    EXPECT_EQ(wakes_, 2);
}

TEST_F(AgendaTest, DoesWhatIsDueTheEarliestFirst) {
    agenda_.at(kNoon + 2s, saying("c"));
    agenda_.at(kNoon + 1s, saying("a"));
    agenda_.at(kNoon + 1s, saying("b"));
    EXPECT_EQ(agenda_.next_at(), kNoon + 1s);
    agenda_.run(kNoon);
    EXPECT_EQ(said_, "");
    agenda_.run(kNoon + 1s);
    EXPECT_EQ(said_, "ab");
    EXPECT_EQ(agenda_.next_at(), kNoon + 2s);
    agenda_.run(kNoon + 9s);
    EXPECT_EQ(said_, "abc");
    EXPECT_EQ(agenda_.next_at(), std::nullopt);
}

TEST_F(AgendaTest, WhatWorkBringsAboutWaitsForTheNextRun) {
    agenda_.post([this] {
        agenda_.post(saying("b"));
        agenda_.at(kNoon, saying("c"));
        said_ += "a";
    });
    agenda_.run(kNoon);
    EXPECT_EQ(said_, "a");
    EXPECT_EQ(wakes_, 2);
    EXPECT_EQ(agenda_.next_at(), kNoon);
    agenda_.run(kNoon);
    EXPECT_EQ(said_, "abc");
}

TEST_F(AgendaTest, DropsWhatComesOnceItIsClosed) {
    agenda_.post(saying("a"));
    agenda_.close();
    agenda_.post(saying("b"));
    agenda_.run(kNoon);
    EXPECT_EQ(said_, "");
    EXPECT_EQ(wakes_, 1);
}

}  // namespace
}  // namespace millrace
