#include "store/sqlite/turns.hpp"

namespace millrace::sqlite {

void Turns::take() {
    const MutexLock lock(mutex_);
    const std::uint64_t number = ++last_;
    while (current_ != number) given_back_.wait(mutex_);
}

void Turns::give_back() {
    const MutexLock lock(mutex_);
    current_ += 1;
    given_back_.notify_all();  // Few wait, and only one of them is next.
}

}  // namespace millrace::sqlite
