#pragma once

#include "model/state.hpp"

// What servers do with jobs: each function is one transaction.
namespace millrace::model {

// Whether a report with this token is taken. One of a late holder is, until the next claim.
bool accepts(const Job& job, Byte token, const Mutant& mutant);

// Hands the job out. `mark` is the stream or kByPoll.
Hand claim(Job& job, Byte job_index, Byte mark);

// Applies a report; `is_delayed` keeps the job back where it returns to the line. Whether it was
// accepted: a repeated report is.
bool apply_report(Job& job, const Hand& report, bool is_delayed, const Mutant& mutant);

// A lease that has run out.
void expire(Job& job, const Mutant& mutant);

// Extends the lease for this holder, or says that it is lost. A stream that resumes does the same.
bool extend(Job& job, Byte token, Byte mark, const Mutant& mutant);

// The end of the grace after a broken stream.
void free_lost(Job& job, const Free& lost, const Mutant& mutant);

}  // namespace millrace::model
