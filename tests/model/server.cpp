#include "model/server.hpp"

namespace millrace::model {

namespace {

void leave_holder(Job& job, Place place, bool keeps_the_token) {
    job.place = place;
    job.mark = 0;
    job.is_lease_over = false;
    job.last = job.next;
    if (!keeps_the_token) job.next = static_cast<Byte>(job.next + 1);
}

void fail(Job& job, const Hand& report, Place back) {
    if (job.retries == 0) {
        job.place = Place::ended;
        return;
    }
    job.retries = static_cast<Byte>(job.retries - 1);
    job.claims_failed = static_cast<Byte>(job.claims_failed | 1u << report.claim);
    leave_holder(job, back, false);
}

void release(Job& job, Place back, const Mutant& mutant) {
    if (mutant.release_burns_a_retry && job.retries > 0) {
        job.retries = static_cast<Byte>(job.retries - 1);
    }
    leave_holder(job, back, mutant.release_keeps_the_token);
}

}  // namespace

bool accepts(const Job& job, Byte token, const Mutant& mutant) {
    if (job.place == Place::ended || token == 0) return false;
    if (job.place == Place::held) return token == job.next;
    return token == job.last || (mutant.next_token_is_accepted_in_line && token == job.next);
}

Hand claim(Job& job, Byte job_index, Byte mark) {
    job.place = Place::held;
    job.mark = mark;
    job.is_lease_over = false;
    job.claim = static_cast<Byte>(job.claim + 1);
    return {.work = Work::running, .job = job_index, .token = job.next, .claim = job.claim};
}

bool apply_report(Job& job, const Hand& report, bool is_delayed, const Mutant& mutant) {
    if (job.place == Place::ended) return true;
    if (!accepts(job, report.token, mutant)) return false;
    if (report.work == Work::completed) {
        job.place = Place::ended;
        job.completions_accepted = static_cast<Byte>(job.completions_accepted + 1);
        return true;
    }
    const Place back = is_delayed ? Place::kept_back : Place::line;
    const bool is_held = job.place == Place::held;
    // Back in line already, by this very report or by expiry.
    if (!is_held && mutant.repeated_failure_burns_a_retry && report.work == Work::failed) {
        job.retries = static_cast<Byte>(job.retries - (job.retries > 0 ? 1 : 0));
    }
    if (!is_held) return true;
    if (report.work == Work::failed) {
        fail(job, report, back);
    } else {
        release(job, back, mutant);
    }
    return true;
}

void expire(Job& job, const Mutant& mutant) {
    leave_holder(job, Place::line, mutant.expiry_keeps_the_token);
}

bool extend(Job& job, Byte token, Byte mark, const Mutant& mutant) {
    if (job.place != Place::held || token != job.next) return false;
    job.is_lease_over = false;
    if (!mutant.resumption_keeps_the_mark) job.mark = mark;
    return true;
}

void free_lost(Job& job, const Free& lost, const Mutant& mutant) {
    const bool is_same_claim = job.place == Place::held && job.next == lost.token;
    const bool is_same_holder = mutant.free_ignores_the_mark || job.mark == lost.mark;
    if (is_same_claim && is_same_holder) leave_holder(job, Place::line, false);
}

}  // namespace millrace::model
