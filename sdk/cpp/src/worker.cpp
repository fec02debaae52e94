#include "millrace/client/worker.hpp"

#include "worker_run.hpp"

namespace millrace::client {

Worker::Worker(const ClientOptions& server, WorkerOptions options)
    : Worker(rest_job_calls(server), std::move(options)) {}

Worker::Worker(std::unique_ptr<JobCalls> calls, WorkerOptions options)
    : run_(std::make_shared<Run>(std::move(calls), std::move(options))) {}

Worker::~Worker() = default;

Worker& Worker::handle(std::string job_type, Handler handler, HandlerOptions options) {
    run_->handle(std::move(job_type), std::move(handler), options);
    return *this;
}

Worker& Worker::intercept(HandlerInterceptor interceptor) {
    run_->intercept(std::move(interceptor));
    return *this;
}

Worker& Worker::observe(WorkerObserver observer) {
    run_->observe(std::move(observer));
    return *this;
}

Status Worker::run(std::stop_token stop) {
    return run_->run(stop);
}

bool Worker::is_healthy() const {
    return run_->is_healthy();
}

}  // namespace millrace::client
