#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interleavings/answer_texts.hpp"
#include "interleavings/player.hpp"

namespace millrace {

// What the commands of a scene are about: an execution, its instance, and what belongs to it.
struct Item {
    int number = 1;
    ExecutionKey execution{};
    InstanceKey instance{};
    JobKey leased_job{};
    JobKey waiting_job{};
    TimerKey timer{};
    UserTaskKey user_task{};
    ExecutionKey parked{};  // Another execution, which waits for the first one's concurrency key.
};

// One command on its way: where it is put, and where its answer goes.
struct Turn {
    Player& player;
    const Item& item;
    std::vector<std::unique_ptr<Command>>& batch;
    std::string& answer;
    std::vector<std::string>& done;  // By duties, which do what they find, sooner or later.
};

// A command of the catalogue.
struct Deed {
    std::string name{};
    std::function<void(Turn&)> make{};
    // It skips what others have locked, and comes again: what it did is compared, not when.
    bool is_duty = false;
};

template <class Request>
void ask(Turn& turn, Request request) {
    turn.batch.push_back(CommandQueue::make_command(
        std::move(request), [&answer = turn.answer](auto result) { answer = text_of(result); }));
}

// The commands of users and of the engine itself, by name. Unknown names end the program.
const Deed& deed_named(const std::string& name);

}  // namespace millrace
