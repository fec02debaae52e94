#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/exchange.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/submit.hpp"
#include "commit/command_queue.hpp"

namespace millrace::rest {

// The list of that name; null when it is absent. Refuses one that is too long.
Result<const json::Array*> item_array(BodyReader& body, std::string_view name);

// "jobs[3]"
std::string item_path(std::string_view name, std::size_t index);

// Refuses an item that is no object.
std::optional<Error> item_error(const json::Value& item, const std::string& path);

// The answers of a call with several items, gathered by any threads. The last one answers the call:
// {"results":[…]}, in the order of the items.
class ResultList {
public:
    ResultList(http::Responder respond, std::size_t count);

    const http::Responder& respond() const { return respond_; }

    // Once for each index.
    void set(std::size_t index, std::string item);

    // Whether there is room for so much of an item that can be large; the one that reaches
    // limits::kPageBytesMax has it still.
    bool take_room(std::size_t bytes);

    // The members of an item that failed: "status":409,"error":{…}
    std::string error_members(const Error& error) const;

    // Only for an empty list, which nobody will set.
    void finish_if_empty();

private:
    void finish();

    http::Responder respond_;
    std::vector<std::string> items_;
    std::atomic<std::size_t> missing_;
    std::atomic<std::int64_t> bytes_taken_ = 0;
};

// One item of such a call: what it asks for, and the members that its result begins with.
template <class Request>
struct Item {
    std::string members{};  // Empty, or with a comma at its end.
    Result<Request> request;
};

struct MakePlainCommand {
    template <class Request, class Done>
    std::unique_ptr<Command> operator()(Request request, Done done) const {
        return CommandQueue::make_command(std::move(request), std::move(done));
    }
};

// Submits the items together, so that they can share a commit; each succeeds or fails alone.
// `success` makes the members of a result of its answer; `note` sees every outcome, for metrics;
// `make` makes the command of a request and of what to do with its answer.
template <class Request, class Success, class Note, class Make = MakePlainCommand>
void submit_items(const Context& context, const http::Responder& respond,
                  std::vector<Item<Request>> items, Success success, Note note, Make make = {}) {
    using Answer = typename PendingCommand<Request>::Answer;
    const auto list = std::make_shared<ResultList>(respond, items.size());
    std::vector<std::unique_ptr<Command>> commands;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Item<Request>& item = items[i];
        auto finish = [list, i, members = std::move(item.members), success,
                       note](const Result<Answer>& answer) {
            note(answer);
            const std::string rest =
                answer ? success(*answer) : list->error_members(answer.error());
            list->set(i, "{" + members + rest + "}");
        };
        if (item.request) {
            commands.push_back(make(std::move(*item.request), std::move(finish)));
        } else {
            finish(item.request.error());
        }
    }
    context.commands.push(std::move(commands), trace_of(context, respond));
    list->finish_if_empty();
}

}  // namespace millrace::rest
