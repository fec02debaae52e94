#include "node/listeners.hpp"

#include <gtest/gtest.h>

#include <string>

#include "node/queue_listeners.hpp"

namespace millrace {
namespace {

// Writes down what it is told, after its own name.
class NamedListener final : public CommitListener, public LockListener {
public:
    NamedListener(std::string name, std::string& told) : name_(std::move(name)), told_(told) {}

    void on_commit(const Writes&) override { tell("commit"); }
    void on_batch(std::size_t count, Duration, Duration) override {
        tell("batch of " + std::to_string(count));
    }
    void on_command(std::string_view command, Duration) override { tell(std::string(command)); }

    void on_lock_taken(std::string_view lock, bool) override { tell(std::string(lock)); }
    void on_lock_refused(std::string_view, bool) override { tell("refused"); }
    void on_lock_failed(std::string_view, const Error& error) override { tell(error.detail); }

private:
    void tell(const std::string& text) { told_ += name_ + ": " + text + "; "; }

    const std::string name_;
    std::string& told_;
};

class ListenersTest : public testing::Test {
protected:
    std::string told_;
    NamedListener own_{"own", told_};
    NamedListener other_{"other", told_};
};

TEST_F(ListenersTest, TellsEachInOrder) {
    const std::vector<CommitListener*> others{&other_};
    CommitListeners listeners(own_, others);
    listeners.on_commit({});
    listeners.on_batch(3, {}, {});
    listeners.on_command("start", {});
    EXPECT_EQ(told_,
              "own: commit; other: commit; own: batch of 3; other: batch of 3; own: start; "
              "other: start; ");
}

TEST_F(ListenersTest, WithoutOthersTheFirstIsAlone) {
    LockListeners listeners(own_, {});
    listeners.on_lock_taken("a", true);
    listeners.on_lock_refused("a", true);
    listeners.on_lock_failed("a", {ErrorCode::unavailable, "away"});
    EXPECT_EQ(told_, "own: a; own: refused; own: away; ");
}

}  // namespace
}  // namespace millrace
