#include "core/queue/dead_letter_text.hpp"

#include <gtest/gtest.h>

namespace millrace {
namespace {

struct Row {
    const char* name;
    std::string_view message;
    std::string_view expected;
};

void PrintTo(const Row& row, std::ostream* out) {
    *out << row.message;
}

class NormalisedMessageTest : public testing::TestWithParam<Row> {};

TEST_P(NormalisedMessageTest, LeavesOutWhatDiffers) {
    EXPECT_EQ(normalised_message(GetParam().message), GetParam().expected);
}

TEST_P(NormalisedMessageTest, LeavesItsOwnWorkAlone) {
    EXPECT_EQ(normalised_message(GetParam().expected), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, NormalisedMessageTest,
    testing::Values(Row{"Empty", "", ""}, Row{"Words", "No money left.", "No money left."},
                    Row{"Number", "Order 4711 has 3 items.", "Order # has # items."},
                    Row{"NumbersOfAnyLength", "9 of 10", "# of #"},
                    Row{"NumberInAWord", "http2 and E1023x7", "http# and E#x#"},
                    Row{"Fraction", "took 1.25 s, limit -0.5", "took #.# s, limit -#.#"},
                    Row{"Address", "10.0.0.17:5432 refused it", "#.#.#.#:# refused it"},
                    Row{"Ulid", "Instance 01HV7Q3Z9N8M7K6J5H4G3F2E1D failed", "Instance # failed"},
                    Row{"UlidInAName", "execution-01HV7Q3Z9N8M7K6J5H4G3F2E1D", "execution-#"},
                    Row{"AlmostAUlid", "01HV7Q3Z9N8M7K6J5H4G3F2E1U", "#HV#Q#Z#N#M#K#J#H#G#F#E#U"},
                    Row{"Uuid", "run 0af76519-16cd-43dd-8448-eb211c80319c ended", "run # ended"},
                    Row{"UuidWithoutDigits", "abcdefab-abcd-abcd-abcd-abcdefabcdef", "#"},
                    Row{"AlmostAUuid", "0af76519-16cd-43dd-8448", "#-#cd-#dd-#"},
                    Row{"Hash", "commit 97d3d048342074909ef0b7922f558398c0c6fc6d", "commit #"},
                    Row{"WordOfHexadecimalLetters", "defaced beef", "defaced beef"},
                    Row{"LongWordOfHexadecimalLetters", "effaceddecade", "effaceddecade"},
                    Row{"SingleQuotes", "Key 'a b' is taken", "Key \"#\" is taken"},
                    Row{"DoubleQuotes", "Field \"name\": not a text", "Field \"#\": not a text"},
                    Row{"BackQuotes", "column `x`", "column \"#\""},
                    Row{"QuotesInsideOthers", "Got \"it's 'me'\" there", "Got \"#\" there"},
                    Row{"Apostrophe", "Can't find what isn't there", "Can't find what isn't there"},
                    Row{"ApostropheBeforeAQuotation", "Can't find 'x'", "Can't find \"#\""},
                    Row{"ApostropheInAQuotation", "Not 'don't' but 'do'", "Not \"#\" but \"#\""},
                    Row{"QuotationThatDoesNotEnd", "Not \"x", "Not \"x"},
                    Row{"QuotationOverLines", "Not 'x\ny'", "Not 'x\ny'"},
                    Row{"EmptyQuotation", "name is ''", "name is \"#\""},
                    Row{"OtherScripts", "Größe 12 in '日本語' 🚀", "Größe # in \"#\" 🚀"}),
    [](const auto& row) { return row.param.name; });

TEST(NormalisedMessage, IsCutBetweenTwoCharacters) {
    std::string message;
    for (int n = 0; n < 1'000; ++n) message += "é";
    const std::string text = normalised_message("x" + message);
    EXPECT_EQ(text, "x" + message.substr(0, 254));
    EXPECT_EQ(normalised_message(std::string(256, 'x')), std::string(256, 'x'));
    EXPECT_EQ(normalised_message(std::string(100'000, 'x')), std::string(256, 'x'));
}

}  // namespace
}  // namespace millrace
