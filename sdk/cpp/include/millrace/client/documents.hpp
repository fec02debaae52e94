#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "millrace/json/value.hpp"

namespace millrace::client {

// An object of the server as it came, with names for the members that this version knows. Members
// of newer servers stay in json(). What is absent reads as "", 0, false or null.
class Document {
public:
    Document() = default;
    explicit Document(json::Value json) : json_(std::move(json)) {}

    const json::Value& json() const { return json_; }

    std::string_view text(std::string_view member) const;
    std::int64_t integer(std::string_view member) const;
    bool boolean(std::string_view member) const;
    const json::Value& value(std::string_view member) const;
    // The texts of an array.
    std::vector<std::string> texts(std::string_view member) const;

    friend bool operator==(const Document&, const Document&) = default;

private:
    json::Value json_ = json::Object{};
};

class DefinitionSummary : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::int64_t version() const { return integer("version"); }
    std::string_view name() const { return text("name"); }
    std::string_view uploaded_at() const { return text("uploadedAt"); }
};

class Instance : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view definition_id() const { return text("definitionId"); }
    std::int64_t definition_version() const { return integer("definitionVersion"); }
    // ACTIVE, WAITING, COMPLETED, FAILED or CANCELLED.
    std::string_view status() const { return text("status"); }
    bool is_suspended() const { return boolean("suspended"); }
    std::vector<std::string> current_step_ids() const { return texts("currentStepIds"); }
    const json::Value& variables() const { return value("variables"); }
    // Grows with each change of the variables.
    std::int64_t variables_version() const { return integer("variablesVersion"); }
    std::string_view started_at() const { return text("startedAt"); }
    std::string_view completed_at() const { return text("completedAt"); }
    std::string_view failure_reason() const { return text("failureReason"); }
    std::string_view business_key() const { return text("businessKey"); }
    // COMPLETED, FAILED or CANCELLED: nothing more happens by itself.
    bool is_over() const;
};

// One entry into a step, from an instance's history.
class StepExecution : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view step_id() const { return text("stepId"); }
    std::string_view step_type() const { return text("stepType"); }
    std::int64_t attempt_number() const { return integer("attemptNumber"); }
    // RUNNING, COMPLETED, FAILED or SKIPPED.
    std::string_view status() const { return text("status"); }
    std::string_view started_at() const { return text("startedAt"); }
    std::string_view ended_at() const { return text("endedAt"); }
    std::string_view failure_reason() const { return text("failureReason"); }
};

// A job: handed to a worker, leased to it until lock_expires_at, or as a list shows it.
class Job : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view job_type() const { return text("jobType"); }
    std::string_view instance_id() const { return text("instanceId"); }
    std::string_view step_id() const { return text("stepId"); }
    std::string_view step_execution_id() const { return text("stepExecutionId"); }
    // UNLOCKED or LOCKED; of a job that is over COMPLETED, FAILED or CANCELLED.
    std::string_view status() const { return text("status"); }
    std::string_view worker_id() const { return text("workerId"); }
    std::int64_t lease_token() const { return integer("leaseToken"); }
    std::string_view lock_expires_at() const { return text("lockExpiresAt"); }
    std::int64_t retries_remaining() const { return integer("retriesRemaining"); }
    // 1 for the first time that the job is handed out.
    std::int64_t attempt() const { return integer("attempt"); }
    // The same for all attempts: a handler that must not act twice passes it on.
    std::string_view idempotency_key() const { return text("idempotencyKey"); }
    std::string_view created_at() const { return text("createdAt"); }
    // W3C trace context: what a handler hands on to systems that it calls. Empty outside of traces.
    std::string_view traceparent() const { return text("traceparent"); }
    // Of a job that waits for its next try.
    std::string_view available_at() const { return text("availableAt"); }
    // Those of the instance at the moment the job was created.
    const json::Value& variables() const { return value("variables"); }
    // One of them; null when it is absent.
    const json::Value& variable(std::string_view name) const;
};

// Work for a person.
class UserTask : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view instance_id() const { return text("instanceId"); }
    std::string_view definition_id() const { return text("definitionId"); }
    std::string_view step_id() const { return text("stepId"); }
    std::string_view name() const { return text("name"); }
    // OPEN, COMPLETED or CANCELLED.
    std::string_view status() const { return text("status"); }
    std::string_view assignee() const { return text("assignee"); }
    std::vector<std::string> candidate_groups() const { return texts("candidateGroups"); }
    std::string_view created_at() const { return text("createdAt"); }
    std::string_view completed_at() const { return text("completedAt"); }
    std::string_view completed_by() const { return text("completedBy"); }
    // Of one task, not of those in a list.
    const json::Value& form() const { return value("form"); }
    const json::Value& variables() const { return value("variables"); }
};

// Something that somebody did.
class AuditEntry : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view at() const { return text("at"); }
    std::string_view kind() const { return text("kind"); }
    // type, keyId, name.
    Document actor() const { return Document(value("actor")); }
    std::string_view workspace() const { return text("workspace"); }
    std::string_view instance_id() const { return text("instanceId"); }
    std::string_view subject() const { return text("subject"); }
    const json::Value& details() const { return value("details"); }
};

class ApiKey : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view name() const { return text("name"); }
    // viewer, worker, operator or admin.
    std::string_view role() const { return text("role"); }
    // Empty: of all workspaces.
    std::string_view workspace() const { return text("workspace"); }
    std::string_view created_at() const { return text("createdAt"); }
    std::string_view expires_at() const { return text("expiresAt"); }
    std::string_view revoked_at() const { return text("revokedAt"); }
    // Only in the answer that creates it.
    std::string_view key() const { return text("key"); }
};

// Who the server takes us for.
class Identity : public Document {
public:
    using Document::Document;
    bool is_authenticated() const { return boolean("authenticated"); }
    std::string_view key_id() const { return text("keyId"); }
    std::string_view name() const { return text("name"); }
    std::string_view role() const { return text("role"); }
    std::string_view workspace() const { return text("workspace"); }
};

// What became of a cancellation of many.
class CancelReport : public Document {
public:
    using Document::Document;
    std::int64_t matched() const { return integer("matched"); }
    std::int64_t cancelled() const { return integer("cancelled"); }
    // id, error, message of each that could not be.
    std::vector<Document> failed() const;
    // There are others that match.
    bool has_more() const { return boolean("more"); }
};

// Something that happened to an instance.
struct InstanceEvent {
    // To go on after it: WatchInstance::last_event_id.
    std::string id{};
    // "step": data is a StepExecution. "instance": an Instance without variables.
    std::string type{};
    Document data{};
};

// One page of a list; the server counts exactly up to a limit and says so in `total_capped`.
template <class Item>
struct Page {
    std::vector<Item> items{};
    std::int64_t total = 0;
    bool total_capped = false;
    // What to ask for next; empty at the end.
    std::string next_cursor{};
};

struct AuditPage : Page<AuditEntry> {
    // Whether the server notes what is done.
    bool enabled = true;
};

}  // namespace millrace::client
