#include "core/access/api_key.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(ApiKeyTest, ReadsTheNamesOfRolesThatItWrites) {
    for (const Role role : {Role::viewer, Role::worker, Role::operator_, Role::admin}) {
        EXPECT_EQ(parse_role(to_string(role)), role);
    }
    for (const char* text : {"", "Admin", "root", "operator_"}) EXPECT_FALSE(parse_role(text));
}

TEST(ApiKeyTest, ReadsTheHashesThatItWrites) {
    SecretHash hash{};
    for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = static_cast<std::uint8_t>(i * 37);
    EXPECT_EQ(hash_text(hash).size(), 64u);
    EXPECT_EQ(parse_hash_text(hash_text(hash)), hash);
    EXPECT_FALSE(parse_hash_text(hash_text(hash).substr(1)));
    EXPECT_FALSE(parse_hash_text(std::string(64, 'G')));
    EXPECT_FALSE(parse_hash_text(std::string(64, 'A')));
}

TEST(ApiKeyTest, TellsHashesApartByEachOfTheirBits) {
    const SecretHash hash{1, 2, 3};
    EXPECT_TRUE(is_same_hash(hash, hash));
    for (std::size_t bit = 0; bit < 8 * hash.size(); ++bit) {
        SecretHash other = hash;
        other[bit / 8] = static_cast<std::uint8_t>(other[bit / 8] ^ (1u << bit % 8));
        EXPECT_FALSE(is_same_hash(hash, other)) << bit;
    }
}

TEST(ApiKeyTest, IsGoodUntilItExpiresOrIsRevoked) {
    const Instant now{Duration(1'000)};
    EXPECT_TRUE(is_good({}, now));
    EXPECT_TRUE(is_good({.expires_at = now + Duration(1)}, now));
    EXPECT_FALSE(is_good({.expires_at = now}, now));
    EXPECT_FALSE(is_good({.revoked_at = now}, now));
    // Clocks differ: a revocation counts whatever its time.
    EXPECT_FALSE(is_good({.revoked_at = now + Duration(1)}, now));
}

}  // namespace
}  // namespace millrace
