#include "queue/retire_workspace.hpp"

#include <memory>

namespace millrace {

namespace {

// "executions" and "instances" are counted for programs too.
Error still_open(const OpenWork& open, const std::string& what_to_do) {
    return {ErrorCode::conflict,
            "The workspace has " + to_text(open) + " that are not over" + what_to_do,
            {{"executions", std::to_string(open.executions)},
             {"instances", std::to_string(open.instances)}}};
}

// Lives until its last callback is gone. One step is under way at a time.
class Retirement : public std::enable_shared_from_this<Retirement> {
public:
    Retirement(RetireWorkspace request, QueryQueue& queries, RetireSteps steps,
               std::function<void(const Status&)> done)
        : request_(std::move(request)),
          queries_(queries),
          steps_(std::move(steps)),
          done_(std::move(done)) {}

    // Looks before anything is changed.
    void begin() {
        if (request_.id.value == kDefaultWorkspace) {
            return done_(Error{ErrorCode::conflict, "The default workspace cannot be deleted."});
        }
        count([self = shared_from_this()](const CountedWork& counted) {
            if (!self->request_.is_forced && !counted.open.empty()) {
                return self->done_(
                    still_open(counted.open, ": cancel them first, or ask with force=true."));
            }
            self->was_paused_ = counted.workspace.is_paused;
            self->pause();
        });
    }

private:
    void count(std::function<void(const CountedWork&)> next) {
        queries_.submit(CountOpenWork{request_.id},
                        [self = shared_from_this(),
                         next = std::move(next)](const Result<CountedWork>& counted) {
                            if (!counted) return self->done_(counted.error());
                            next(*counted);
                        });
    }

    void pause() {
        steps_.set_paused(true, [self = shared_from_this()](const Result<Workspace>& paused) {
            if (!paused) return self->done_(paused.error());
            self->request_.is_forced ? self->cancel_executions() : self->remove();
        });
    }

    void cancel_executions() {
        const HandleExecutions open{
            .filter = {.workspace_id = request_.id,
                       .statuses = {QueueStatus::pending, QueueStatus::claimed,
                                    QueueStatus::dispatched}},
            .count_max = request_.count_max,
            .at_once_max = request_.at_once_max,
        };
        handle_executions(open, queries_, steps_.cancel_execution,
                          [self = shared_from_this()](const Result<HandledExecutions>& handled) {
                              if (!handled) return self->done_(handled.error());
                              self->cancel_started_directly();
                          });
    }

    // Instances that no execution has started.
    void cancel_started_directly() {
        CancelInstances running{
            .filter = {.workspace_id = request_.id,
                       .statuses = {InstanceStatus::active, InstanceStatus::waiting}},
            .count_max = request_.count_max,
        };
        cancel_instances(std::move(running), queries_, steps_.cancel_instance,
                         [self = shared_from_this()](const Result<CancelledInstances>& cancelled) {
                             if (!cancelled) return self->done_(cancelled.error());
                             self->remove();
                         });
    }

    void remove() {
        count([self = shared_from_this()](const CountedWork& counted) {
            if (!counted.open.empty()) {
                return self->give_up(still_open(counted.open, self->what_to_do()));
            }
            self->steps_.remove(counted, [self](const Result<DeletedWorkspace>& removed) {
                if (!removed) return self->give_up(removed.error());
                self->done_(ok());
            });
        });
    }

    std::string what_to_do() const {
        return request_.is_forced
                   ? " yet, though they are asked to stop. It stays paused: delete it again later."
                   : ": cancel them first, or ask with force=true.";
    }

    // Lets in again what it has kept out meanwhile, unless it is to be deleted at any price.
    void give_up(const Error& error) {
        if (was_paused_ || request_.is_forced) return done_(error);
        steps_.set_paused(false, [self = shared_from_this(), error](const Result<Workspace>&) {
            self->done_(error);
        });
    }

    RetireWorkspace request_;
    QueryQueue& queries_;
    RetireSteps steps_;
    std::function<void(const Status&)> done_;
    bool was_paused_ = false;
};

}  // namespace

void retire_workspace(RetireWorkspace request, QueryQueue& queries, RetireSteps steps,
                      std::function<void(const Status&)> done) {
    std::make_shared<Retirement>(std::move(request), queries, std::move(steps), std::move(done))
        ->begin();
}

}  // namespace millrace
