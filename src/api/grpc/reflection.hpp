#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace google::protobuf {
class Descriptor;
class EnumDescriptor;
class FieldDescriptor;
class FileDescriptor;
}  // namespace google::protobuf

namespace millrace::rpc {

// The names of gRPC's own services that every server of ours has.
inline constexpr std::string_view kHealthService = "grpc.health.v1.Health";
inline constexpr std::string_view kReflectionServices[] = {
    "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"};

bool is_reflection(std::string_view method);

// Answers messages of the reflection service, which tools ask for what a server offers: bytes in,
// bytes out. Knows the files of the services it is told of, and of the details of statuses.
//
// Nobody is asked for a key here, so all answers are made at the start, and names are sought among
// them alone: protobuf's own pool looks for every prefix of a name, with a lock that all share.
class Reflection {
public:
    explicit Reflection(const std::vector<std::string>& services);
    Reflection(const Reflection&) = delete;
    Reflection& operator=(const Reflection&) = delete;

    std::string answer(std::string_view request) const;

private:
    using Answer = std::string;

    void add(const google::protobuf::FileDescriptor& file);
    void add(const google::protobuf::Descriptor& message, const Answer& answer);
    void add(const google::protobuf::EnumDescriptor& values, const Answer& answer);
    void add_extension(const google::protobuf::FieldDescriptor& extension, const Answer& answer);

    // Each is the end of an answer, behind what repeats the question. A file comes with all that
    // it imports: whoever asked can use it at once.
    Answer services_{};
    std::map<std::string, Answer, std::less<>> files_{};
    std::map<std::string, const Answer*, std::less<>> symbols_{};
    // Of every message that there is: most have none.
    std::map<std::string, std::map<int, const Answer*>, std::less<>> extensions_{};
};

}  // namespace millrace::rpc
