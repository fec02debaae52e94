#include "api/access/minted_key.hpp"

#include <limits>

#include "runtime/sha256.hpp"

namespace millrace::access {

namespace {

// Each letter as likely as any other: numbers behind the last whole multiple are thrown again.
char letter_of(std::string_view alphabet, Random& random) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t end = kMax - kMax % alphabet.size();
    std::uint64_t number = random.next();
    while (number >= end) number = random.next();
    return alphabet[number % alphabet.size()];
}

std::string letters(std::string_view alphabet, std::size_t count, Random& random) {
    std::string text(count, ' ');
    for (char& letter : text) letter = letter_of(alphabet, random);
    return text;
}

}  // namespace

MintedKey mint_key(Random& random) {
    MintedKey minted;
    minted.text.id = letters(kKeyIdAlphabet, kKeyIdBytes, random);
    minted.text.secret = letters(kKeySecretAlphabet, kKeySecretBytes, random);
    minted.secret_hash = hash_of(minted.text.secret);
    return minted;
}

SecretHash hash_of(std::string_view secret) {
    return runtime::sha256(secret);
}

}  // namespace millrace::access
