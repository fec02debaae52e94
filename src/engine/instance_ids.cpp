#include "engine/instance_ids.hpp"

namespace millrace {

namespace {

constexpr std::uint64_t kSequenceBits = 32;
// The highest of the random bits starts as zero: whoever adds one has room.
constexpr std::uint64_t kRandomMask = 0x7FFF'FFFF'FFFF;

Id128 behind(Id128 id) {
    id.low += std::uint64_t{1} << kSequenceBits;
    if (id.low >> kSequenceBits == 0) id.high += 1;
    return id;
}

}  // namespace

InstanceId InstanceIds::next() {
    const Id128 fresh = Id128::for_instance(clock_.now(), random_.next() & kRandomMask);
    const MutexLock lock(mutex_);
    // A clock that stands still in the id's milliseconds, or lags behind another thread's.
    last_ = fresh.high >> 16 > last_.high >> 16 ? fresh : behind(last_);
    return {last_};
}

}  // namespace millrace
