#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/value.hpp"

namespace millrace::client {

// An object of the server as it came, with names for the members that this version knows. Members
// of newer servers stay in json(). What is absent reads as "", 0 or null.
class Document {
public:
    Document() = default;
    explicit Document(json::Value json) : json_(std::move(json)) {}

    const json::Value& json() const { return json_; }

    std::string_view text(std::string_view member) const;
    std::int64_t integer(std::string_view member) const;
    const json::Value& value(std::string_view member) const;

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
    std::vector<std::string> current_step_ids() const;
    const json::Value& variables() const { return value("variables"); }
    std::string_view started_at() const { return text("startedAt"); }
    std::string_view completed_at() const { return text("completedAt"); }
    std::string_view failure_reason() const { return text("failureReason"); }
    std::string_view business_key() const { return text("businessKey"); }
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

// A job that was handed to a worker, leased to it until lock_expires_at.
class Job : public Document {
public:
    using Document::Document;
    std::string_view id() const { return text("id"); }
    std::string_view job_type() const { return text("jobType"); }
    std::string_view instance_id() const { return text("instanceId"); }
    std::string_view step_execution_id() const { return text("stepExecutionId"); }
    std::string_view worker_id() const { return text("workerId"); }
    std::int64_t lease_token() const { return integer("leaseToken"); }
    std::string_view lock_expires_at() const { return text("lockExpiresAt"); }
    std::int64_t retries_remaining() const { return integer("retriesRemaining"); }
    // Those of the instance at the moment the job was created.
    const json::Value& variables() const { return value("variables"); }
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

}  // namespace millrace::client
