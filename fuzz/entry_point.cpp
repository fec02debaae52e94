#include <cstddef>
#include <cstdint>
#include <vector>

#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Called by libFuzzer and by replay_corpus.cpp. The input is copied to a place of its exact size,
// so that a sanitizer notices who reads beyond it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> input(data, data + size);
    millrace::fuzz({input.data(), input.size()});
    return 0;
}
