#include "executor/temporal/start_run.hpp"

#include <temporal/workflow_service.pb.h>

#include <memory>
#include <utility>

#include "executor/temporal/find_run.hpp"
#include "executor/temporal/start_answer.hpp"
#include "executor/temporal/start_request.hpp"

namespace millrace {

namespace {

// One start, from the first call to the last. The callbacks of its calls keep it alive.
class Start : public std::enable_shared_from_this<Start> {
public:
    Start(Service& service, const TemporalOptions& options, const StartRun& start,
          Deadline deadline, std::function<void(StartAnswer)> done)
        : service_(service),
          execution_(start.execution),
          deadline_(deadline),
          done_(std::move(done)) {
        fill_start_request(start, options, request_);
        run_ = {.name_space = request_.namespace_(), .workflow_id = request_.workflow_id()};
    }

    void begin() {
        if (service_.is_connected()) {
            send();
        } else {
            connect();
        }
    }

private:
    // Any answer will do: it shows that there is a connection.
    void connect() {
        service_.get_system_info(
            {}, deadline_, [self = shared_from_this()](const CallStatus& status, const auto&) {
                if (is_answer(status.code)) {
                    self->send();
                } else if (status.code == CallCode::cancelled) {
                    self->done_(in_doubt(status));
                } else {
                    self->done_(not_sent(status));
                }
            });
    }

    void send() {
        service_.start(std::move(request_), deadline_,
                       [self = shared_from_this()](const CallStatus& status, const auto& response) {
                           if (status.is_ok()) {
                               self->done_(started(response.run_id()));
                           } else if (status.code == CallCode::already_exists) {
                               self->ask_whose(status);
                           } else {
                               self->done_(answer_of(status));
                           }
                       });
    }

    void ask_whose(const CallStatus& already_started) {
        find_run(service_, execution_, run_, deadline_,
                 [self = shared_from_this(), already_started](
                     const CallStatus& status, const std::optional<DescribedRun>& found) {
                     if (!found) {
                         self->done_(in_doubt(status.is_ok() ? already_started : status));
                     } else if (found->is_ours) {
                         self->done_(started(found->run_id));
                     } else {
                         self->done_(conflict(already_started));
                     }
                 });
    }

    Service& service_;
    const ExecutionKey execution_;
    const Deadline deadline_;
    const std::function<void(StartAnswer)> done_;
    wire::StartWorkflowExecutionRequest request_{};
    RunRef run_{};
};

}  // namespace

void start_run(Service& service, const TemporalOptions& options, const StartRun& start,
               Deadline deadline, std::function<void(StartAnswer)> done) {
    std::make_shared<Start>(service, options, start, deadline, std::move(done))->begin();
}

}  // namespace millrace
