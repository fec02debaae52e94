#include "runtime/thread.hpp"

#include <pthread.h>

#include <string>

namespace millrace::runtime {

namespace {

constexpr std::size_t kNameBytesMax = 15;  // The kernel refuses longer ones.

}  // namespace

Thread::Thread(std::string_view name, std::function<void()> body)
    : thread_([name = std::string(name.substr(0, kNameBytesMax)), body = std::move(body)] {
          pthread_setname_np(pthread_self(), name.c_str());
          body();
      }) {}

void Thread::join() {
    if (thread_.joinable()) thread_.join();
}

}  // namespace millrace::runtime
