// Threads read blocks of one sparse file over and over, and verify nothing.
//
//     truth_sparse BLOCK SIZE THREADS WARM_UP SECONDS
//
// Compiled together with svf.cpp, with SVF_THREAD_SAFE.  All threads start together; what counts is
// what they did in the window, per second on the wall.  Prints calls per second.

#include "svf.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

int main(int, char **arguments) {
    const size_t block = std::atoll(arguments[1]), count = std::atoll(arguments[2]) / block;
    const int threads = std::atoi(arguments[3]);
    const auto warm_up = std::chrono::duration<double>(std::atof(arguments[4]));
    const auto window = std::chrono::duration<double>(std::atof(arguments[5]));
    SVFS::SparseVirtualFile file("truth", 0.0);
    std::vector<char> data(block, 'x');
    for (size_t at = 0; at < count; ++at) file.write(at * (block + 1), data.data(), block);

    std::atomic<bool> go{false}, stop{false};
    // Counters of several threads in one line of the cache would slow each other down.
    struct alignas(128) Count {
        std::atomic<unsigned long> calls{0};
    };
    std::vector<Count> counts(threads);
    std::vector<std::thread> crew;
    for (int thread = 0; thread < threads; ++thread)
        crew.emplace_back([&, thread] {
            std::vector<char> out(block * count);  // as a program that gathers all blocks has it
            auto &calls = counts[thread].calls;
            while (!go.load()) std::this_thread::yield();
            for (size_t at = 0; !stop.load(std::memory_order_relaxed); at = (at + 1) % count) {
                file.read(at * (block + 1), block, out.data() + at * block);
                calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            }
        });
    const auto total = [&] {
        unsigned long sum = 0;
        for (auto &one : counts) sum += one.calls.load();
        return sum;
    };
    go.store(true);
    std::this_thread::sleep_for(warm_up);
    const auto before = total();
    const auto since = Clock::now();
    std::this_thread::sleep_for(window);
    const auto after = total();
    const auto took = std::chrono::duration<double>(Clock::now() - since).count();
    stop.store(true);
    for (auto &one : crew) one.join();
    std::printf("%.3f\n", (after - before) / took);
}
