#pragma once

#include <vector>

#include "core/retention/retention_rules.hpp"
#include "scheduler/sweep_loop.hpp"
#include "store/reader.hpp"

namespace millrace {

// Removes what was over for longer than its rule keeps it: definition by definition, each from the
// oldest to the first that is too young. A definition of which all is kept is not looked at.
class DefinitionSweep : public Sweep {
public:
    Result<Step> step(Instant now, std::function<void(bool)> done) final;

protected:
    struct End {
        Id128 id{};
        std::optional<Instant> completed_at{};  // Empty: it is open.
    };

    DefinitionSweep(RetentionRules rules, Reader& reader)
        : rules_(std::move(rules)), reader_(reader) {}

    // Those of a definition with ids behind `after` and before `before`, by id, open ones too.
    virtual Result<std::vector<End>> read(const DefinitionName& definition, Id128 after,
                                          Id128 before, std::int32_t count_max) = 0;
    // Removes those of these that have ended before then. Calls `done` once, on any thread.
    virtual void remove(const WorkspaceId& workspace_id, const std::vector<Id128>& ids,
                        Instant ended_before, std::function<void(bool)> done) = 0;

    Reader& reader() { return reader_; }

private:
    Result<Step> next_definition(Instant now);
    // Those among these that have expired, up to a batch full; goes behind the last one looked at.
    std::vector<Id128> take_expired(const std::vector<End>& ends);

    const RetentionRules rules_;
    Reader& reader_;

    DefinitionName definition_{};
    std::optional<Instant> expired_before_{};  // Of this definition; empty: go to the next.
    Id128 after_{};
};

}  // namespace millrace
