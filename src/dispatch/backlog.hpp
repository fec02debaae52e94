#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "dispatch/turns.hpp"

namespace millrace {

// The entry of a type for polls that serve all workspaces: whether any of them may have such jobs.
inline WaitingType anywhere(const JobType& type) {
    return {.job_type = type};
}

// What this process believes about waiting jobs, per type: whether there may be any, and from where
// on a claim should look. Hints only: wrong ones cost time, never work.
//
// The mark steps over index entries of jobs that are gone but that a long foreign transaction still
// keeps (design: claims stay flat). A place in line is drawn before its commit, so a job may appear
// below places already seen: the mark trails by kTrail, and an empty claim above the mark is
// followed by one from the beginning, now and then.
//
// On a store that others write to as well, "nothing is there" grows old: after a while it is worth
// a look again. While the others' hints come in, that is a net with wide meshes (`hinted`). Without
// them looking is the only way: soon after something was found (`first`), then twice as late each
// time in vain, up to `most`.
//
// Which workspaces have jobs of a type is known from commits and hints; what was there before, or
// what nobody told of, a scan of the store finds.
class Backlog {
public:
    struct Pace {
        Duration hinted = std::chrono::seconds{2};
        Duration first = std::chrono::milliseconds{25};
        Duration most = std::chrono::milliseconds{500};
    };

    Backlog() = default;
    explicit Backlog(Pace pace) : pace_(pace) {}

    // Whether the hints of others come in. When they stop, every type is worth a look soon.
    void set_hinted(bool is_hinted);

    // Whether anything was ever noted about this type.
    bool knows(const WaitingType& type) const { return entries_.contains(type); }

    // Whether jobs of this type may be waiting. A type never heard of may have some.
    bool may_have(const WaitingType& type) const;

    // Jobs of this type were committed unclaimed.
    void note_waiting(const WaitingType& type);
    // So were jobs of who knows which types.
    void note_waiting_anywhere();

    // The workspaces in which jobs are believed to wait.
    const ReadyWorkspaces& ready() const { return ready_; }
    bool is_ready_anywhere(const JobType& type) const;

    // Whether a scan has told of this type; not when it was forgotten since, or when somebody spoke
    // of who knows which types.
    bool is_scanned(const JobType& type) const;
    // From when on that is too old to be believed, on a shared store.
    Instant scan_again_at(const JobType& type) const;
    // What becomes known while the scan is under way counts more than what it finds: tells how
    // things stand before it.
    std::uint64_t begin_scan(const JobType& type);
    // A scan that began then found jobs of this type in these workspaces, and in no others.
    void note_scanned(const JobType& type, std::uint64_t generation, std::set<WorkspaceId> found,
                      Instant now);

    // Where a claim begins to look.
    std::int64_t mark(const WaitingType& type, Instant now);

    // A claim from the mark found too little: whether it is time to look from the beginning.
    bool should_look_from_start(const WaitingType& type, Instant now);

    void note_claimed(const WaitingType& type, std::int64_t seq_max, Instant now);

    // A number that changes with every note_waiting: what was true before a claim began.
    std::uint64_t generation(const WaitingType& type) const;

    // A claim that began at that generation found nothing more.
    void note_empty(const WaitingType& type, std::uint64_t generation, Instant now);

    // From when on what that claim found is too old to be believed, on a shared store; long ago for
    // a type never heard of.
    Instant look_again_at(const WaitingType& type) const;

private:
    struct Entry {
        bool may_have = true;
        std::uint64_t generation = 0;
        std::int64_t mark = 0;
        std::deque<std::pair<Instant, std::int64_t>> claimed{};  // When, and up to where.
        Instant looked_from_start_at{};
        Instant emptied_at{};
        bool has_found = false;               // Since it was last empty.
        Duration pause{};                     // Without hints: from then on to the next look.
        std::optional<Instant> scanned_at{};  // Of an entry for all workspaces.
    };

    void forget_all_but(const WaitingType& type);
    Entry* find(const WaitingType& type);
    const Entry* find(const WaitingType& type) const;

    const Pace pace_{};
    bool is_hinted_ = false;
    std::map<WaitingType, Entry> entries_;
    ReadyWorkspaces ready_;
};

}  // namespace millrace
