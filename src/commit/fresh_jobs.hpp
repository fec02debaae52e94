#pragma once

#include <vector>

#include "commit/job_demand.hpp"
#include "store/effects.hpp"

namespace millrace {

// The fresh jobs of one batch and those who wait for such: offered before the batch is written,
// handed out when it is committed, taken back when it is not (docs/adr/0003).
class FreshJobs {
public:
    explicit FreshJobs(JobDemand& demand) : demand_(demand) {}

    // Claims some of the jobs that these writes make for those who wait.
    void claim(Writes& writes, Instant now);

    // Exactly one of these follows.
    void hand_out();
    void take_back();
    // Nobody can tell whether the batch is committed: those who wait had better look.
    void announce_doubt();

private:
    JobDemand& demand_;
    std::vector<JobGrant> grants_;
    std::vector<DeliveredJob> granted_;
    std::vector<WaitingType> waiting_;
};

}  // namespace millrace
