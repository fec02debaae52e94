#include "store/postgres/postgres_cluster.hpp"

namespace millrace::postgres {

namespace {

Parameters parameters_of(const Replica& replica) {
    Parameters parameters;
    parameters.add(replica.id);
    parameters.add(std::string_view(replica.name));
    parameters.add(std::string_view(replica.version));
    return parameters;
}

template <class Value>
Parameters one(const Value& value) {
    Parameters parameters;
    parameters.add(value);
    return parameters;
}

Parameters lease_parameters(std::string_view duty, const Id128& holder, Duration duration) {
    Parameters parameters;
    parameters.add(duty);
    parameters.add(holder);
    parameters.add(std::int64_t{duration.count()});
    return parameters;
}

Replica decode_replica(Fields fields) {
    Replica replica;
    replica.id = fields.id();
    replica.name = fields.text();
    replica.version = fields.text();
    replica.started_at = fields.instant();
    replica.seen_at = fields.instant();
    return replica;
}

}  // namespace

PostgresCluster::PostgresCluster(PostgresOptions options)
    : options_(std::move(options)), connection_(connection_options(options_)) {}

Result<std::vector<Replica>> PostgresCluster::report(const Replica& self, Duration fresh) {
    Parameters listed;
    listed.add(std::int64_t{fresh.count()});
    listed.add(self.id);
    std::vector<Call> calls;
    calls.push_back(call(sql::delete_silent_replicas));
    calls.push_back(call(sql::report_replica, parameters_of(self)));
    calls.push_back(call(sql::list_replicas, std::move(listed)));
    calls.push_back(call(sql::read_clock));
    const Result<std::vector<Rows>> answers = run(std::move(calls));
    if (!answers) return answers.error();
    // Also where nothing else is written for long, the clock follows the server's.
    if (options_.on_server_time) options_.on_server_time(Fields(answers->back(), 0).instant());
    const Rows& rows = (*answers)[2];
    std::vector<Replica> replicas;
    for (int i = 0; i < rows.size(); ++i) replicas.push_back(decode_replica(Fields(rows, i)));
    return replicas;
}

Status PostgresCluster::leave(const Id128& replica) {
    std::vector<Call> calls;
    calls.push_back(call(sql::delete_replica, one(replica)));
    calls.push_back(call(sql::give_up_duty_leases, one(replica)));
    const Result<std::vector<Rows>> answers = run(std::move(calls));
    return answers ? ok() : Status(answers.error());
}

Result<std::optional<DutyLease>> PostgresCluster::hold(std::string_view duty, const Id128& replica,
                                                       Duration duration) {
    std::vector<Call> calls;
    calls.push_back(call(sql::add_duty_lease, one(duty)));
    calls.push_back(call(sql::renew_duty_lease, lease_parameters(duty, replica, duration)));
    calls.push_back(call(sql::take_duty_lease, lease_parameters(duty, replica, duration)));
    const Result<std::vector<Rows>> answers = run(std::move(calls));
    if (!answers) return answers.error();
    const Rows& renewed = (*answers)[1];
    const Rows& taken = (*answers)[2];
    const Rows& held = renewed.size() > 0 ? renewed : taken;
    if (held.size() == 0) return std::optional<DutyLease>{};
    return std::optional(DutyLease{std::string(duty), replica, Fields(held, 0).int64()});
}

Result<std::vector<Rows>> PostgresCluster::run(std::vector<Call> work) {
    return run_transaction(connection_, kBeginWriting, options_, std::move(work));
}

Call lease_check(const DutyLease& lease) {
    Parameters parameters;
    parameters.add(std::string_view(lease.duty));
    parameters.add(lease.fence);
    return call(sql::check_duty_lease, std::move(parameters));
}

}  // namespace millrace::postgres
