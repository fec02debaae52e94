#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "store/job_claimer.hpp"

namespace millrace {

// What this process believes about waiting jobs, per type: whether there may be any, and from where
// on a claim should look. Hints only: wrong ones cost time, never work.
//
// The mark steps over index entries of jobs that are gone but that a long foreign transaction still
// keeps (design: claims stay flat). A place in line is drawn before its commit, so a job may appear
// below places already seen: the mark trails by kTrail, and an empty claim above the mark is
// followed by one from the beginning, now and then.
class Backlog {
public:
    // Whether jobs of this type may be waiting. A type never heard of may have some.
    bool may_have(const WaitingType& type) const;

    // Jobs of this type were committed unclaimed.
    void note_waiting(const WaitingType& type);

    // Where a claim begins to look.
    std::int64_t mark(const WaitingType& type, Instant now);

    // A claim from the mark found too little: whether it is time to look from the beginning.
    bool should_look_from_start(const WaitingType& type, Instant now);

    void note_claimed(const WaitingType& type, std::int64_t seq_max, Instant now);

    // A number that changes with every note_waiting: what was true before a claim began.
    std::uint64_t generation(const WaitingType& type) const;

    // A claim that began at that generation found nothing more.
    void note_empty(const WaitingType& type, std::uint64_t generation, Instant now);

    // When that was last so; long ago for a type never heard of.
    Instant emptied_at(const WaitingType& type) const;

private:
    struct Entry {
        bool may_have = true;
        std::uint64_t generation = 0;
        std::int64_t mark = 0;
        std::deque<std::pair<Instant, std::int64_t>> claimed{};  // When, and up to where.
        Instant looked_from_start_at{};
        Instant emptied_at{};
    };

    std::map<WaitingType, Entry> entries_;
};

}  // namespace millrace
