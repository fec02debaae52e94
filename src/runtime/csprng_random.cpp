#include "runtime/csprng_random.hpp"

#include <sys/random.h>

#include <array>

#include "base/check.hpp"

namespace millrace::runtime {

namespace {

// 256 bytes: the kernel promises to fill that many in one call, uninterrupted.
struct Block {
    std::array<std::uint64_t, 32> numbers{};
    std::size_t used = 32;
};

}  // namespace

std::uint64_t CsprngRandom::next() {
    thread_local Block block;
    if (block.used == block.numbers.size()) {
        const ssize_t filled = getrandom(block.numbers.data(), sizeof(block.numbers), 0);
        MILLRACE_CHECK(filled == static_cast<ssize_t>(sizeof(block.numbers)));
        block.used = 0;
    }
    return block.numbers[block.used++];
}

}  // namespace millrace::runtime
