#include "os/processes/socket_filter.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace andon::os {
namespace {

#if defined(__x86_64__)
constexpr unsigned kOwn = AUDIT_ARCH_X86_64;
constexpr unsigned kOlder = AUDIT_ARCH_I386;     ///< of 32-bit programs
constexpr unsigned kOlderSocket = 359;           ///< socket(2) of those
constexpr unsigned kOlderSocketCall = 102;       ///< socketcall(2), whose arguments no filter sees
constexpr unsigned kOtherNumbers = 0x4000'0000;  ///< begins the numbers of x32
#elif defined(__aarch64__)
constexpr unsigned kOwn = AUDIT_ARCH_AARCH64;
constexpr unsigned kOlder = AUDIT_ARCH_ARM;
constexpr unsigned kOlderSocket = 281;
constexpr unsigned kOlderSocketCall = 102;
constexpr unsigned kOtherNumbers = 0x4000'0000;
#endif

#if defined(__x86_64__) || defined(__aarch64__)
constexpr unsigned kIoUringSetup = 425;  ///< everywhere
constexpr unsigned kSmcFamily = 43;      ///< AF_SMC
constexpr unsigned kSmc = 256;           ///< IPPROTO_SMC
constexpr unsigned kMptcp = 262;         ///< IPPROTO_MPTCP

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}
constexpr sock_filter if_equal(unsigned value, unsigned char then, unsigned char otherwise) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise);
}
constexpr sock_filter if_at_least(unsigned value, unsigned char then, unsigned char otherwise) {
  return BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, then, otherwise);
}
constexpr sock_filter answer(unsigned value) { return BPF_STMT(BPF_RET | BPF_K, value); }

constexpr std::size_t kNumber = offsetof(seccomp_data, nr);
constexpr std::size_t kArchitecture = offsetof(seccomp_data, arch);
constexpr std::size_t kFamily = offsetof(seccomp_data, args);  ///< the lower half: both are little-endian
constexpr std::size_t kProtocol = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);

/// A jump names the rows to skip: first if the value is that one, then if it is not.
constexpr std::array kFilter{
    /* 0 */ load(kArchitecture),
    /* 1 */ if_equal(kOwn, 5, 0),     // to 7
    /* 2 */ if_equal(kOlder, 0, 14),  // to 17
    /* 3 */ load(kNumber),
    /* 4 */ if_equal(kOlderSocketCall, 13, 0),  // to 18
    /* 5 */ if_equal(kIoUringSetup, 12, 0),     // to 18
    /* 6 */ if_equal(kOlderSocket, 4, 10),      // to 11 or 17
    /* 7 */ load(kNumber),
    /* 8 */ if_at_least(kOtherNumbers, 9, 0),  // to 18
    /* 9 */ if_equal(kIoUringSetup, 8, 0),     // to 18
    /* 10 */ if_equal(SYS_socket, 0, 6),       // to 17
    /* 11 */ load(kFamily),
    /* 12 */ if_equal(kSmcFamily, 3, 0),  // to 16
    /* 13 */ load(kProtocol),
    /* 14 */ if_equal(kMptcp, 1, 0),  // to 16
    /* 15 */ if_equal(kSmc, 0, 1),    // to 16 or 17
    /* 16 */ answer(SECCOMP_RET_ERRNO | EPROTONOSUPPORT),
    /* 17 */ answer(SECCOMP_RET_ALLOW),
    /* 18 */ answer(SECCOMP_RET_ERRNO | ENOSYS),
};
#endif

}  // namespace

void refuse_other_sockets() {
#if defined(__x86_64__) || defined(__aarch64__)
  sock_fprog const program{static_cast<unsigned short>(kFilter.size()),
                           const_cast<sock_filter*>(kFilter.data())};
  ::syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}

}  // namespace andon::os
