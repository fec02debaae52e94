#include "runtime/loop_thread.hpp"

namespace millrace::runtime {

LoopThread::LoopThread(Loop& loop)
    : loop_(loop), thread_(loop.name(), [&loop] {
          Loop::Next next{.at_once = true};
          while (loop.sleep(next)) next = loop.run_once();
      }) {}

void LoopThread::stop() {
    loop_.stop();
    if (thread_.joinable()) thread_.join();
}

void LoopThread::finish() {
    loop_.finish();
    if (thread_.joinable()) thread_.join();
}

void LoopThreads::stop(Loop& loop) {
    const auto found = threads_.find(&loop);
    if (found != threads_.end()) found->second.stop();
}

void LoopThreads::finish(Loop& loop) {
    const auto found = threads_.find(&loop);
    if (found != threads_.end()) found->second.finish();
}

}  // namespace millrace::runtime
