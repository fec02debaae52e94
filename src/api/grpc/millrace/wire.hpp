#pragma once

// Names of protobuf's types, for headers: the library itself stays in .cpp files.
namespace google::protobuf {
class Descriptor;
class EnumDescriptor;
class FieldDescriptor;
class Message;
class MethodDescriptor;
}  // namespace google::protobuf

namespace millrace::rpc {

namespace wire = ::google::protobuf;

}  // namespace millrace::rpc
