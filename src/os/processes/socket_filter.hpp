#pragma once

namespace andon::os {

/// Refuses this process and its children the sockets that serve TCP clients without being TCP sockets for
/// Landlock: MPTCP and SMC. Also io_uring, which makes sockets without a system call that a filter sees. They
/// get the errors of a kernel without these. Does nothing on a kernel without filters (seccomp(2)), and needs
/// PR_SET_NO_NEW_PRIVS. For a child before its exec: it makes only raw system calls.
void refuse_other_sockets();

}  // namespace andon::os
