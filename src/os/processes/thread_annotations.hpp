#pragma once

// Names the mutex of guarded data. Clang checks it with -Wthread-safety:
// https://clang.llvm.org/docs/ThreadSafetyAnalysis.html. Other compilers see nothing.
#ifdef __clang__
#define ANDON_THREAD_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define ANDON_THREAD_ATTRIBUTE(attribute)
#endif

#define CAPABILITY(name) ANDON_THREAD_ATTRIBUTE(capability(name))
#define SCOPED_CAPABILITY ANDON_THREAD_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(mutex) ANDON_THREAD_ATTRIBUTE(guarded_by(mutex))
#define REQUIRES(...) ANDON_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) ANDON_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...) ANDON_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
