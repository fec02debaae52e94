#pragma once

#include <cstddef>
#include <map>
#include <string_view>

#include "base/id.hpp"
#include "base/mutex.hpp"

namespace millrace::rest {

// Which jobs no answer to some kind of client can hold: they are claimed for every poll that comes
// by, and measuring them again each time would cost much. Only a memory: what is forgotten is
// measured again. Thread-safe.
class LargeJobs {
public:
    // Tells kinds of clients apart: how the variables of each are measured.
    using Measure = std::size_t (*)(std::string_view variables);

    void note(JobId id, std::string_view variables, Measure measure);
    // Whether it was noted with these very variables: an instance's may be changed meanwhile.
    bool is_known(JobId id, std::string_view variables, Measure measure) const;

private:
    struct Fingerprint {
        std::size_t bytes = 0;
        std::size_t hash = 0;
        Measure measure = nullptr;

        friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
    };
    using Known = std::map<JobId, Fingerprint>;

    static Fingerprint fingerprint(std::string_view variables, Measure measure);

    mutable Mutex mutex_;
    // Two halves: when one is full, the other is forgotten.
    Known newer_ MILLRACE_GUARDED_BY(mutex_);
    Known older_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::rest
