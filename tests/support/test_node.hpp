#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"
#include "engine/complete_job.hpp"
#include "engine/fail_job.hpp"
#include "engine/get_history.hpp"
#include "engine/get_instance.hpp"
#include "engine/start_instance.hpp"
#include "engine/upload_definition.hpp"
#include "store/database.hpp"
#include "support/fake_clock.hpp"
#include "support/instance_driver.hpp"
#include "support/recording_listener.hpp"

namespace millrace {

// The node of one process without its threads: a test calls the loops and moves the clock.
class TestNode {
public:
    TestNode(Database& database, FakeClock& clock);
    ~TestNode();

    CommandQueue& queue();
    JobBroker& broker();
    Reader& reader() { return *reader_; }
    RecordingListener& listener() { return listener_; }

    // One round of the committer, as its thread does them.
    Round commit_once();

    // The store stays away for longer than anybody waits.
    void give_up();

    // Commits what waits, until nothing can be taken. A store that is away has to come back.
    void commit();

    // Lets everything that is due happen.
    void settle();

    template <class Request>
    auto run(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        std::optional<Result<Answer>> answer;
        queue().submit(std::move(request), [&](Result<Answer> result) {
            EXPECT_FALSE(answer) << "answered twice";
            answer = std::move(result);
        });
        commit();
        EXPECT_TRUE(answer) << "not answered";
        return answer ? *answer : Result<Answer>(Error{});
    }

    UploadedDefinition upload(std::string_view document,
                              const WorkspaceId& workspace_id = kWorkspace);
    Result<Instance> start(std::string definition_id, std::string_view variables = "{}");

    struct Poll {
        JobBroker::PollId id = 0;
        std::shared_ptr<std::optional<Result<std::vector<DeliveredJob>>>> answer{};

        bool is_answered() const { return answer->has_value(); }
        std::vector<DeliveredJob> jobs() const {
            return is_answered() && **answer ? ***answer : std::vector<DeliveredJob>{};
        }
    };

    Poll begin_poll(PollJobs request);
    std::vector<DeliveredJob> poll(std::string job_type, std::int32_t jobs_max = 10,
                                   WorkerId worker_id = kWorker);

    Result<Job> complete(const DeliveredJob& delivered, std::string_view variables = "null");
    Result<FailedJob> fail(const DeliveredJob& delivered, bool retryable,
                           std::string message = "no");

    Instance instance(const InstanceKey& key);
    // "a:COMPLETED b:RUNNING", in order of entry.
    std::string told(const InstanceKey& key);

private:
    struct Process;

    static constexpr int kRoundsMax = 1'000;

    FakeClock& clock_;
    RecordingListener listener_;
    std::unique_ptr<Process> process_;
    std::unique_ptr<Reader> reader_;
    std::uint64_t random_ = 0;
};

}  // namespace millrace
