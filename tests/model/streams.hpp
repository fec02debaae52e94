#pragma once

#include "model/state.hpp"

// Both ends of worker streams.
namespace millrace::model {

// The stream on which the worker gets jobs; null when it has none.
Stream* live_stream(Worker& worker);
const Stream* live_stream(const Worker& worker);

Byte slots_taken(const Worker& worker);

// Raises the credit of the live stream by the slots that are free. Credit that an older stream may
// still use counts as used.
void raise_credit(Worker& worker, const Cast& cast);

// Opens a stream, whose first message names all jobs that the worker has.
void open_stream(State& state, Worker& worker, const Cast& cast);

// Ends a stream with all messages on it. A server that lives frees the jobs of it, later.
void cut_stream(State& state, Worker& worker, Stream& stream, bool is_server_alive);

// The job arrives at the worker. Its lease counts from when it was given, so it may be over by now.
void take_job(const State& state, Worker& worker, Stream& stream);

}  // namespace millrace::model
