#include "api/grpc/trailers.hpp"

#include <gtest/gtest.h>

namespace millrace::rpc {
namespace {

TEST(Trailers, AreJustTheCodeWhenThereIsNothingToSay) {
    EXPECT_EQ(trailers_of({}), (Fields{{"grpc-status", "0"}}));
}

TEST(Trailers, CarrySentencesInAnyLanguageAndNotes) {
    const CallStatus status{.code = Code::not_found, .message = "100 % ü\n"};
    EXPECT_EQ(trailers_of(status, {{"millrace-warning", "w"}}),
              (Fields{{"grpc-status", "5"},
                      {"grpc-message", "100 %25 %C3%BC%0A"},
                      {"millrace-warning", "w"}}));
}

TEST(Trailers, CarryDetailsInBase64WithoutPadding) {
    const std::pair<const char*, const char*> cases[] = {
        {"f", "Zg"}, {"fo", "Zm8"}, {"foo", "Zm9v"}, {"foob", "Zm9vYg"}, {"\xff\xfe", "//4"}};
    for (const auto& [bytes, encoded] : cases) {
        const CallStatus status{.code = Code::internal, .details = bytes};
        EXPECT_EQ(trailers_of(status).at(1).second, encoded);
    }
}

}  // namespace
}  // namespace millrace::rpc
