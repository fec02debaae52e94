#include "store/row_sum.hpp"

#include <cstring>

namespace millrace {

namespace {

constexpr std::uint64_t kPrime = 0x0000'0100'0000'01B3;

// A cell begins with its kind, so that null, 0 and an empty text differ.
struct AddCell {
    Checksum& sum;

    void operator()(std::monostate) const { sum.add(std::uint64_t{0}); }
    void operator()(std::int64_t value) const {
        sum.add(std::uint64_t{1});
        sum.add(static_cast<std::uint64_t>(value));
    }
    void operator()(const std::string& value) const {
        sum.add(std::uint64_t{2});
        sum.add(std::string_view(value));
    }
    void operator()(const Id128& value) const {
        sum.add(std::uint64_t{3});
        sum.add(value.high);
        sum.add(value.low);
    }
    void operator()(Instant value) const {
        sum.add(std::uint64_t{4});
        sum.add(static_cast<std::uint64_t>(value.time_since_epoch().count()));
    }
};

}  // namespace

// FNV-1a by words instead of bytes; the shift brings the high bits down again.
void Checksum::add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * kPrime;
    hash_ ^= hash_ >> 32;
}

void Checksum::add(std::string_view bytes) {
    add(std::uint64_t{bytes.size()});
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = std::min(bytes.size(), sizeof(word));
        std::memcpy(&word, bytes.data(), size);
        add(word);
        bytes.remove_prefix(size);
    }
}

// As MurmurHash3 ends: sums of these values spread over all bits.
std::uint64_t Checksum::value() const {
    std::uint64_t hash = hash_;
    hash = (hash ^ hash >> 33) * 0xFF51'AFD7'ED55'8CCD;
    hash = (hash ^ hash >> 33) * 0xC4CE'B9FE'1A85'EC53;
    return hash ^ hash >> 33;
}

std::string checksum_text(std::uint64_t checksum) {
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, checksum >>= 4) {
        *digit = "0123456789abcdef"[checksum & 0xF];
    }
    return digits;
}

void RowSum::add(const Cells& row) {
    Checksum sum;
    for (const Cell& cell : row) std::visit(AddCell{sum}, cell);
    rows += 1;
    checksum += sum.value();
}

}  // namespace millrace
