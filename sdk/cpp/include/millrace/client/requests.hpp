#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "millrace/client/documents.hpp"
#include "millrace/json/value.hpp"

namespace millrace::client {

// Which part of a list. With a cursor, which came with the page before, `page` does not count.
struct Paging {
    std::int32_t page = 0;
    std::int32_t page_size = 20;
    std::string cursor{};
};

struct ListDefinitions {
    std::string keyword{};
    Paging paging{};
};

struct StartInstance {
    std::string definition_id{};
    // The latest when absent.
    std::optional<std::int32_t> definition_version{};
    json::Value variables = json::Object{};
    std::string business_key{};
    // The same key again starts nothing and answers the same. The client makes one when it is
    // empty, so that it can repeat a call whose connection broke.
    std::string idempotency_key{};
};

// What is empty does not restrict.
struct InstanceFilter {
    std::string definition_id{};
    std::optional<std::int32_t> definition_version{};
    std::vector<std::string> statuses{};
    std::string business_key{};
    // RFC 3339; from this on.
    std::string started_after{};
    // RFC 3339; up to here, without it.
    std::string started_before{};
    std::optional<bool> suspended{};
    // Part of an id, a key, a reason or the variables.
    std::string text{};

    friend bool operator==(const InstanceFilter&, const InstanceFilter&) = default;
};

struct ListInstances {
    InstanceFilter filter{};
    Paging paging{};
};

// Cancels the oldest that match and are not over.
struct CancelInstances {
    InstanceFilter filter{};  // At least one part.
    std::string reason{};
    // Only counts them.
    bool dry_run = false;
    std::optional<std::int32_t> limit{};
};

struct SetVariables {
    std::string instance_id{};
    json::Value variables = json::Object{};
    std::vector<std::string> remove{};
    // Instance::variables_version that the change is based on; any when absent.
    std::optional<std::int64_t> expected_version{};
};

struct WatchInstance {
    std::string instance_id{};
    // Go on after this event; from the beginning when empty.
    std::string last_event_id{};
};

// Goes on from a WAIT step.
struct SendSignal {
    std::string instance_id{};
    std::string step_id{};
    json::Value variables = json::Object{};
    std::string idempotency_key{};  // As for StartInstance.
};

struct PollJobs {
    std::string worker_id{};
    std::vector<std::string> job_types{};
    std::int32_t jobs_max = 10;
    std::chrono::seconds lease_duration{30};
    // How long the server may hold the call when there is no job yet; 0 answers at once.
    std::chrono::seconds wait_duration{0};
};

// Names a job and proves who holds its lease. Without token and worker only a live lease of
// somebody else refuses the call.
struct JobClaim {
    std::string job_id{};
    std::string worker_id{};
    std::optional<std::int64_t> lease_token{};
};
JobClaim claim_of(const Job& job);

struct CompleteJob {
    JobClaim claim{};
    json::Value variables = json::Object{};
};

struct FailJob {
    JobClaim claim{};
    std::string error_message{};
    bool retryable = true;
    // When to try again, instead of what the step's retry policy says.
    std::optional<std::chrono::seconds> retry_after{};
};

// Gives a job back unfinished: no retry is consumed.
struct ReleaseJob {
    JobClaim claim{};
    // When others may have it; at once when it is 0.
    std::chrono::seconds delay{0};
    // For the history.
    std::string reason{};
};

struct ListJobs {
    std::string instance_id{};
    std::string job_type{};
    // UNLOCKED or LOCKED.
    std::string status{};
    std::string worker_id{};
    Paging paging{};
};

struct ListUserTasks {
    // OPEN when empty; ALL for all.
    std::string status{};
    std::string instance_id{};
    std::string definition_id{};
    std::string step_id{};
    std::string assignee{};
    std::string group{};
    bool unassigned = false;
    Paging paging{};
};

// Names the task by its id, or by instance and step.
struct CompleteUserTask {
    std::string task_id{};
    std::string instance_id{};
    std::string step_id{};
    std::string user_id{};
    json::Value variables = json::Object{};
    std::string idempotency_key{};  // As for StartInstance.
};

struct ListAudit {
    std::vector<std::string> kinds{};
    std::string key_id{};
    std::string instance_id{};
    std::string since{};
    std::string until{};
    Paging paging{};
};

struct CreateKey {
    std::string name{};
    std::string role{};
    // Of all workspaces when absent; the server refuses an empty one.
    std::optional<std::string> workspace{};
    std::optional<std::string> expires_at{};
};

}  // namespace millrace::client
