#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/json/value.hpp"
#include "base/time.hpp"

// Every limit of the engine, each with its reason. Reaching one is a clear error for that call
// alone. docs/reference/limits.md lists them for users.
namespace millrace::limits {

using namespace std::chrono_literals;

// Requests.
inline constexpr std::size_t kBodyBytesMax = 16u << 20;  // Variables of a big instance, twice.
inline constexpr std::size_t kJsonDepthMax = json::kDepthMax;
inline constexpr std::size_t kJsonValuesMax = json::kValuesMax;
inline constexpr std::size_t kBatchItemsMax = 1'000;        // One transaction's worth.
inline constexpr std::size_t kNameBytesMax = 256;           // Ids, job types, worker ids, keys.
inline constexpr std::size_t kMessageBytesMax = 16u << 10;  // Failure messages are cut there.
inline constexpr std::size_t kWarnedFieldsMax = 8;  // Named in Millrace-Warning: it is a header.
inline constexpr std::int32_t kPageSizeDefault = 20;
inline constexpr std::int32_t kPageSizeMax = 500;
// Of one page: it ends with the item that reaches this, and the next one begins there.
inline constexpr std::int64_t kPageBytesMax = 16 << 20;
inline constexpr std::int32_t kHistoryLinesMax = 20'000;     // Of one answer: some 8 MB.
inline constexpr std::int64_t kTotalExactMax = 10'000;       // Counting further scans for nothing.
inline constexpr std::size_t kIdempotencyKeyBytesMax = 256;  // A name, as others.
inline constexpr Duration kIdempotencyKept = 168h;           // Who repeats later than a week?
inline constexpr std::int64_t kIdempotencyForgottenMax = 1'000;  // At once: nobody waits for it.

// Of one event of a stream of gRPC, a line of history that its tries can make long, and of one
// piece of bytes: clients read messages of 4 MiB unless told otherwise.
inline constexpr std::size_t kStreamEventBytesMax = 16u << 20;
inline constexpr std::size_t kStreamPieceBytesMax = 256u << 10;

// Retention.
inline constexpr Duration kRetentionMin = 1s;  // Less, and no caller sees how it ended.
inline constexpr std::size_t kRetentionRulesMax = 1'000;
inline constexpr std::int32_t kRetentionLookedMax = 1'000;  // Rows read at once: milliseconds.
inline constexpr std::size_t kInstancesRemovedMax = 200;    // At once, with all their history.
inline constexpr std::int32_t kAuditRemovedMax = 1'000;     // At once: single rows.

// Audit.
inline constexpr std::size_t kAuditNamesMax = 100;  // Of variables in one entry: it is one row.
inline constexpr std::size_t kAuditOfInstanceMax = 10'000;  // Entries shown at once.

// Connections.
inline constexpr std::size_t kHeaderBytesMax = 16u << 10;  // Cookies of other servers here.
// So much of a body is read of a client before anybody asks who it is: as much as of its header.
inline constexpr std::size_t kBodyUnaskedBytesMax = 16u << 10;
// Of all larger bodies that are read or worked on, in one process. One client gets no more than is
// left for the others.
inline constexpr std::size_t kBodiesBytesMax = 256u << 20;
inline constexpr Duration kBodiesRetryAfter = 1s;  // Those under way take about as long.
// Of answers to one client that it has not read: it gets no further ones until it has.
inline constexpr std::size_t kAnswersBehindBytesMax = 256u << 10;
inline constexpr std::size_t kConnectionsMax = 120'000;  // All parked polls, and room for others.
inline constexpr Duration kHttpReadTimeout = 30s;        // Slower ones hold memory.
inline constexpr Duration kHttpWriteTimeout = 60s;
inline constexpr Duration kHttpIdleTimeout = 120s;  // Longer than clients keep theirs.
inline constexpr Duration kHttpLingerTimeout = 5s;
// What a client that was refused may still send until it looks for the answer: many look only when
// all is sent, and lose the answer when the connection is reset before.
inline constexpr std::size_t kHttpLingerBytesMax = 4 * kBodyBytesMax;
inline constexpr std::size_t kStreamBytesBehindMax = 256u
                                                     << 10;  // Of one client; it may ask again.

// gRPC. Messages are as large as bodies at most, and headers as over HTTP.
inline constexpr int kRpcCallsPerConnectionMax = 1'000;  // Further ones wait in the client.
// Calls that a client leaves at once cost us more than it: so many in a row, and then so many a
// second.
inline constexpr int kRpcResetsMax = 2'000;
inline constexpr int kRpcResetsPerSecond = 200;
inline constexpr int kHealthWatchesMax = 10'000;  // Of everybody: nobody is asked for a key.
inline constexpr Duration kRpcKeepalive =
    10s;  // Of silence: then a peer is asked whether it lives.
inline constexpr Duration kRpcKeepaliveTimeout = 5s;  // So long it may take to answer that.
// Of an answer with jobs over gRPC: clients take 4 MiB at most, unless told otherwise.
inline constexpr std::size_t kRpcJobsBytesMax = 7u << 19;
inline constexpr std::size_t kStructDepthMax = 100;  // Of values over it: protobuf reads no more.

// Definitions.
inline constexpr std::size_t kDefinitionBytesMax = 1u << 20;  // It is parsed whole by each server.
// What the expressions of one definition take in memory: some 30 bytes for each of their text.
inline constexpr std::size_t kDefinitionExpressionBytesMax = 32u << 20;
// Of compiled definitions that a process keeps at hand; others are read again.
inline constexpr std::size_t kDefinitionsCachedBytesMax = 128u << 20;
inline constexpr std::size_t kStepsMax = 1'000;
inline constexpr std::size_t kBranchesMax = 256;            // Of one gateway or decision.
inline constexpr std::size_t kBoundaryEventsMax = 16;       // Of one step.
inline constexpr std::size_t kDefinitionProblemsMax = 100;  // Shown at once; who reads more?
inline constexpr std::int32_t kRetryCountMax = 1'000;
inline constexpr Duration kRetryDelayMax = 168h;        // A week: longer is a process of its own.
inline constexpr Duration kRetryInitialDelayMax = 24h;  // It only grows from there.
inline constexpr Duration kRetryDelayDefaultMax = 1h;   // Where the author names no maximum.
inline constexpr Duration kTryTimeoutMin = 1s;          // Shorter than a lease is checked.
inline constexpr Duration kTryTimeoutMax = 720h;        // Thirty days.
inline constexpr std::size_t kCandidateGroupsMax = 32;  // Of one user task.
inline constexpr std::size_t kFormBytesMax = 64u << 10;
inline constexpr std::int32_t kExecutionAttemptsMax = 100;  // More is no hope, only noise.
inline constexpr Duration kRunTimeoutMin = 1s;              // Shorter than a round trip of it.
inline constexpr Duration kRunTimeoutMax = 87'600h;         // Ten years.
inline constexpr Duration kRunTaskTimeoutMax = 120s;        // Temporal itself allows no more.
inline constexpr std::int32_t kRunAttemptsMax = 1'000;      // As often as a job.
inline constexpr std::size_t kNonRetryableErrorTypesMax = 32;

// Expressions.
inline constexpr std::size_t kExpressionBytesMax = 16u << 10;
inline constexpr std::size_t kExpressionDepthMax = 64;       // Recursion of parser and evaluator.
inline constexpr std::size_t kExpressionStepsMax = 100'000;  // A few milliseconds.
inline constexpr std::size_t kExpressionBytesResultMax = 4u << 20;

// Instances.
inline constexpr std::size_t kVariablesBytesMax = 4u << 20;  // Read and written with every step.
inline constexpr std::size_t kOpenStepsMax = 1'000;          // The state is one row.
inline constexpr std::size_t kGatewayDepthMax = 32;          // A loop that never joins ends here.
inline constexpr std::int32_t kAutomaticStepsMax = 1'000;    // In one transaction, chains included.
inline constexpr std::size_t kTriesKeptMax = 100;            // Of one step, in its history row.
inline constexpr std::size_t kTriesBytesMax = 1u << 20;  // Of one instance: they are in its row.
inline constexpr std::int64_t kBulkInstancesDefault = 1'000;  // Of one call that cancels many.
inline constexpr std::int64_t kBulkInstancesMax = 10'000;     // Some seconds of one request.

// Jobs.
inline constexpr std::int32_t kPollJobsDefault = 10;
inline constexpr std::int32_t kPollJobsMax = 1'000;
// Of variables in one poll's answer: the job that reaches this is its last, the others wait.
inline constexpr std::int64_t kPollBytesMax = 16 << 20;
// Of variables in the hands of one round of claims, for all polls: the others are for the next.
inline constexpr std::int64_t kClaimRoundBytesMax = 64 << 20;
inline constexpr std::size_t kPollTypesMax = 100;
inline constexpr Duration kLeaseDefault = 30s;
inline constexpr Duration kLeaseMin = 5s;
inline constexpr Duration kLeaseMax = 3'600s;
inline constexpr Duration kPollWaitMax = 60s;
// Of a worker that fails or releases a job: as long as a retry policy may wait.
inline constexpr Duration kAskedDelayMax = kRetryDelayMax;
// A worker that releases a job is not offered it again before: it would only release it again.
inline constexpr Duration kReleasedPassedOver = 1s;
inline constexpr std::size_t kReleasesRemembered = 10'000;  // Some 2 MB.
// So many workers a job may lose in a row without waiting; then it waits, longer each time.
inline constexpr std::size_t kLossesUndelayed = 9;
inline constexpr Duration kLossDelayFirst = 1s;
inline constexpr Duration kLossDelayMax = 300s;
inline constexpr std::size_t kAskedTypesMax = 10'000;     // Remembered, for explanations.
inline constexpr std::size_t kWaitingPollsMax = 100'000;  // Some 100 MB of parked connections.

// The queue.
inline constexpr std::int32_t kWorkspaceActiveMax = 1'000'000;  // As good as no limit at all.
inline constexpr double kWorkspaceRateMax = 1'000'000;          // Faster than any store.
inline constexpr double kWorkspaceRateMin = 1.0 / 86'400;       // One a day.
inline constexpr std::int32_t kWorkspaceWeightMax = 1'000;      // Beyond it, others starve.
inline constexpr std::size_t kQueueNetMax = 256;  // Workspaces and keys of a look everywhere.
inline constexpr std::int64_t kBulkExecutionsDefault = 1'000;  // Of one call about many.
inline constexpr std::int64_t kBulkExecutionsMax = 10'000;     // Some seconds of one request.
inline constexpr std::int32_t kBulkAtOnceMax = 50;    // Under way at once, each with its input.
inline constexpr std::size_t kQueueOrphansMax = 100;  // Ended at once, when a workspace is gone.

// Access.
inline constexpr Duration kApiKeyFresh = 1s;  // How long what was read of a key counts as true.
inline constexpr Duration kApiKeyStale = 2s;  // How long it is used while it is read again.
inline constexpr std::size_t kApiKeysCachedMax = 10'000;
inline constexpr Duration kApiKeysSeenAgain = 10s;    // Between looks at which keys there are.
inline constexpr std::int64_t kAuthFailuresMax = 20;  // In a row, of one address.
inline constexpr Duration kAuthFailureForgiven = 3s;  // One of them.
inline constexpr std::size_t kAuthAddressesMax = 10'000;

// Work, in the units of core/work_meter.hpp: the same input costs the same on every machine.
// Calibrated to about 5 ms of this engine's own reference machine; a setting of the server.
inline constexpr std::int64_t kCommandWorkMax = 200'000;
inline constexpr std::int64_t kBatchWorkMax = 800'000;  // About 20 ms: others wait meanwhile.

// What one command writes. Chained starts go on in another transaction when they would bring it
// beyond the smaller bounds; the largest one fails the instance.
inline constexpr std::size_t kChainBytesMax = 8u << 20;
inline constexpr std::size_t kChainRowsMax = 4'000;
inline constexpr std::size_t kCommandBytesMax = 128u << 20;  // Half a second of one store.

// Commits.
inline constexpr std::size_t kWaitingCommandsMax = 100'000;  // Seconds of work: later is too late.
inline constexpr std::size_t kWaitingQueriesMax = 10'000;    // The same for reads.
inline constexpr std::size_t kBatchCommandsMax = 1'000;      // Beyond it, batches only add latency.
// While several workspaces send commands: each waits for the batches of the others.
inline constexpr std::size_t kSharedCommandsMax = 500;
inline constexpr std::int64_t kSharedBytesMax = 16 << 20;
inline constexpr std::size_t kDutyCommandsMax = 200;  // The same where nobody waits.
// What one transaction writes, and loads of each kind of large rows. A message to PostgreSQL has 1
// GiB at most, and a server holds a batch some times over: as rows, as effects and as text.
inline constexpr std::int64_t kBatchBytesMax = 64 << 20;
inline constexpr std::int64_t kBatchRowsMax = 20'000;  // Written: a fraction of a second.
// From the submission of a command to its answer. A client waits for about as long.
inline constexpr Duration kCommandPatience = 30s;
inline constexpr Duration kBatchStatementMax = 10s;  // So that a batch can fail twice and be split.
// Deciding longer by the wall clock is watched: a batch stops there and puts the rest back, and a
// command that took so long is alone in its batch when it is tried again.
inline constexpr Duration kDecidingWatched = 100ms;
inline constexpr int kKnownFailuresMax = 2;  // Of a batch: then it is halved.
// A command whose row is locked by somebody else looks again so often.
inline constexpr Duration kLockedPause = 100ms;
inline constexpr Duration kHiddenLockPause = 1s;  // Where looking means waiting for it.

}  // namespace millrace::limits
