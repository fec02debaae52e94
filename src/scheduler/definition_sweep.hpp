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
    // Told of one that cannot be removed and is left where it is until the next pass.
    using SetAsideNote = std::function<void(const WorkspaceId&, Id128, const Error&)>;

    Result<Step> step(Instant now, std::function<void(bool)> done) final;
    void note_duration(Duration took) final;

protected:
    struct End {
        Id128 id{};
        std::optional<Instant> completed_at{};  // Empty: it is open.
    };

    DefinitionSweep(RetentionRules rules, Reader& reader, SetAsideNote note)
        : rules_(std::move(rules)), reader_(reader), note_(std::move(note)) {}

    // Those of a definition with ids behind `after` and before `before`, by id, open ones too.
    virtual Result<std::vector<End>> read(const DefinitionName& definition, Id128 after,
                                          Id128 before, std::int32_t count_max) = 0;
    // Removes those of these that have ended before then. Calls `done` once, on any thread.
    virtual void remove(const WorkspaceId& workspace_id, const std::vector<Id128>& ids,
                        Instant ended_before, std::function<void(const Status&)> done) = 0;

    Reader& reader() { return reader_; }

private:
    Result<Step> next_definition(Instant now);
    // Those among these that have expired, up to a batch full; goes behind the last one looked at.
    std::vector<Id128> take_expired(const std::vector<End>& ends);

    // Where a removal began, to come back there when it fails.
    struct Removal {
        std::vector<Id128> ids{};
        Id128 after{};
        Instant expired_before{};
    };
    // Whether the sweep can go on without a pause.
    bool end_removal(const Removal& removal, const Status& status);

    const RetentionRules rules_;
    Reader& reader_;
    const SetAsideNote note_;
    // How many are removed at once: a history may be long, and one transaction has little time.
    std::size_t count_max_ = 8;
    bool is_passing_ = true;  // The latest removal was done.

    DefinitionName definition_{};
    std::optional<Instant> expired_before_{};  // Of this definition; empty: go to the next.
    Id128 after_{};
};

}  // namespace millrace
