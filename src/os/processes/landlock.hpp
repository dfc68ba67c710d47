#pragma once

#include <cstdint>

namespace andon::os::landlock {

// The kernel's interface (landlock(7)) is written out here, because the system's headers may be older than
// the kernel.
constexpr std::uint64_t kExecute = 1U << 0U;
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kReadFile = 1U << 2U;
constexpr std::uint64_t kReadDirectory = 1U << 3U;
constexpr std::uint64_t kFirstVersion = (1U << 13U) - 1;  ///< execute, read, write, make, remove
constexpr std::uint64_t kRefer = 1U << 13U;               ///< link and rename between directories
constexpr std::uint64_t kTruncate = 1U << 14U;
constexpr std::uint64_t kScopeAbstractSockets = 1U << 0U;
constexpr std::uint64_t kScopeSignals = 1U << 1U;
constexpr std::uint64_t kBindTcp = 1U << 0U;
constexpr std::uint64_t kConnectTcp = 1U << 1U;
constexpr unsigned kAskVersion = 1;
constexpr int kRuleBeneath = 1;
constexpr int kRulePort = 2;

#pragma pack(push, 1)
struct BeneathAttributes {
  std::uint64_t rights = 0;
  std::int32_t parent = -1;
};
#pragma pack(pop)

struct PortAttributes {
  std::uint64_t rights = 0;
  std::uint64_t port = 0;
};

}  // namespace andon::os::landlock
