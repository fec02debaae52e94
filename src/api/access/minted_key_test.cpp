#include "api/access/minted_key.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/csprng_random.hpp"

namespace millrace::access {
namespace {

TEST(MintedKeyTest, MintsKeysThatAreReadAgain) {
    runtime::CsprngRandom random;
    std::set<std::string> ids;
    std::set<std::string> secrets;
    std::set<char> letters;
    for (int i = 0; i < 100; ++i) {
        const MintedKey minted = mint_key(random);
        const std::optional<KeyText> parsed = parse_key_text(to_string(minted.text));
        ASSERT_TRUE(parsed);
        EXPECT_TRUE(is_same_hash(hash_of(parsed->secret), minted.secret_hash));
        ids.insert(minted.text.id);
        secrets.insert(minted.text.secret);
        letters.insert(minted.text.secret.begin(), minted.text.secret.end());
    }
    EXPECT_EQ(ids.size(), 100u);
    EXPECT_EQ(secrets.size(), 100u);
    EXPECT_EQ(letters.size(), kKeySecretAlphabet.size());
}

// Numbers that would favour the first letters are not used.
class HighThenLow final : public Random {
public:
    std::uint64_t next() override { return calls_++ % 2 == 0 ? ~std::uint64_t{0} : 1; }

private:
    int calls_ = 0;
};

TEST(MintedKeyTest, FavoursNoLetter) {
    HighThenLow random;
    EXPECT_EQ(mint_key(random).text.id, std::string(kKeyIdBytes, '1'));
}

}  // namespace
}  // namespace millrace::access
