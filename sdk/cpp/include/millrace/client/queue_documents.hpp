#pragma once

#include "millrace/client/documents.hpp"

// What the execution queue answers.
namespace millrace::client {

// A tenant: what it may use of the queue, and its place in the competition with others.
class Workspace : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view name() const { return text("name"); }
    std::string_view plan() const { return text("plan"); }
    bool is_paused() const { return boolean("paused"); }
    std::int64_t weight() const { return integer("weight"); }
    // What holds in the end: maxActive, maxPerKey, ratePerSecond, maxAttempts, weight. Absent: no
    // limit.
    Document limits() const { return Document(value("limits")); }
    std::string_view created_at() const { return text("createdAt"); }
    std::string_view changed_at() const { return text("changedAt"); }
};

// A run that waits for its turn, runs or is over.
class Execution : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view workspace_id() const { return text("workspaceId"); }
    std::string_view definition_id() const { return text("definitionId"); }
    std::int64_t definition_version() const { return integer("definitionVersion"); }
    // PENDING, CLAIMED, DISPATCHED, COMPLETED, FAILED or CANCELLED.
    std::string_view queue_status() const { return text("queueStatus"); }
    // The same for people: RUNNING from the claim on.
    std::string_view status() const { return text("status"); }
    // Input and result are not in lists.
    const json::Value& input() const { return value("input"); }
    const json::Value& result() const { return value("result"); }
    // reason, message.
    Document error() const { return Document(value("error")); }
    std::int64_t priority() const { return integer("priority"); }
    std::string_view concurrency_key() const { return text("concurrencyKey"); }
    std::string_view created_at() const { return text("createdAt"); }
    std::string_view completed_at() const { return text("completedAt"); }
    // COMPLETED, FAILED or CANCELLED: nothing more happens by itself.
    bool is_over() const;
};

// How the line of a workspace stands.
class Queue : public Document {
public:
    using Document::Document;
    std::string_view workspace_id() const { return text("workspaceId"); }
    bool is_paused() const { return boolean("paused"); }
    // As of Workspace.
    Document limits() const { return Document(value("limits")); }
    // Executions with a slot.
    std::int64_t active() const { return integer("active"); }
    // READY, PARKED, DUE, ACTIVE.
    Document places() const { return Document(value("places")); }
    // PENDING, CLAIMED, DISPATCHED.
    Document queue_statuses() const { return Document(value("queueStatuses")); }
    // Some of the counts are larger than they say.
    bool counts_capped() const { return boolean("countsCapped"); }
    std::int64_t dead_letters() const { return integer("deadLetters"); }
    std::string_view oldest_waiting_since() const { return text("oldestWaitingSince"); }
};

// Dead letters that look alike.
class DeadLetterGroup : public Document {
public:
    using Document::Document;
    std::string_view definition_id() const { return text("definitionId"); }
    std::string_view reason() const { return text("reason"); }
    std::string_view message() const { return text("message"); }
    std::int64_t count() const { return integer("count"); }
    std::string_view first_at() const { return text("firstAt"); }
    std::string_view last_at() const { return text("lastAt"); }
    std::string_view latest_id() const { return text("latestId"); }
};

// What became of a call for many dead letters.
class DeadLetterReport : public Document {
public:
    using Document::Document;
    std::int64_t redriven() const { return integer("redriven"); }
    std::int64_t dismissed() const { return integer("dismissed"); }
    std::int64_t purged() const { return integer("purged"); }
    // Of redriven ones: id, executionId (the one that will run), newExecution.
    std::vector<Document> executions() const;
    // id, error, message of each that could not be.
    std::vector<Document> failed() const;
    // How many are left that match.
    std::int64_t remaining() const { return integer("remaining"); }
};

// What an explanation is about.
enum class Subject { execution, instance, job, workspace };

// Why something is not running: all that stands in its way, the outermost first.
class Explanation : public Document {
public:
    using Document::Document;
    std::string_view subject() const { return text("subject"); }
    std::string_view id() const { return text("id"); }
    std::string_view status() const { return text("status"); }
    bool is_over() const { return boolean("over"); }
    std::string_view summary() const { return text("summary"); }
    std::string_view estimated_at() const { return text("estimatedAt"); }
    // Each with `code`, `message`, `evidence`, and perhaps `until` and `advice`.
    std::vector<Document> reasons() const;
};

}  // namespace millrace::client
