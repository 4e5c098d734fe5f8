// Runs of calls to svfsc without Python between them, behind a C interface.
//
// One call from Python is a whole run, so that what Python adds is spread over thousands of
// calls.  No function here holds a clock or compares bytes: that is the engine's.
// Compiled together with svf.cpp and svfs.cpp, with and without SVF_THREAD_SAFE.

#include "svf.h"
#include "svfs.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

const std::string ID = "id";

struct Piece {
    uint64_t position, length;
};

// What a run of needs amounts to: enough to tell any other answer from the right one.
struct Needed {
    uint64_t ranges, bytes, digest;
};

// A sparse file on its own, or one that each call looks up in a file system by its name.
struct File {
    SVFS::tSparseVirtualFileConfig config;
    SVFS::SparseVirtualFile alone;
    SVFS::SparseVirtualFileSystem system;
    const bool looked_up;
    std::mutex told;
    std::string error;

    File(bool compare, bool in_system)
        : config{false, compare}, alone(ID, 0.0, config), system(config), looked_up(in_system) {
        if (in_system) system.insert(ID, 0.0);
    }

    SVFS::SparseVirtualFile &get() { return looked_up ? system.at(ID) : alone; }

    int failed(const std::string &why) {
        const std::lock_guard<std::mutex> guard(told);
        if (error.empty()) error = why;
        return -1;
    }
};

template <class Calls> int guarded(File *file, Calls calls) {
    try {
        calls();
        return 0;
    } catch (const SVFS::Exceptions::ExceptionSparseVirtualFile &raised) {
        return file->failed(raised.message());
    } catch (const std::exception &raised) {
        return file->failed(raised.what());
    }
}

// Calls with the file and each piece; the loop over a file on its own has nothing else in it.
template <class Call> void each(File *file, const Piece *pieces, uint64_t count, Call call) {
    const Piece *const end = pieces + count;
    if (file->looked_up)
        for (; pieces != end; ++pieces) call(file->system.at(ID), *pieces);
    else
        for (; pieces != end; ++pieces) call(file->alone, *pieces);
}

void write_pieces(File *file, const Piece *pieces, uint64_t count, const char *data) {
    each(file, pieces, count, [data](auto &to, const Piece &piece) mutable {
        to.write(piece.position, data, piece.length);
        data += piece.length;
    });
}

}  // namespace

extern "C" {

int sparse_thread_safe() {
#ifdef SVF_THREAD_SAFE
    return 1;
#else
    return 0;
#endif
}

File *sparse_open(int compare, int in_system) {
    try {
        return new File(compare != 0, in_system != 0);
    } catch (const std::exception &) {
        return nullptr;
    }
}

void sparse_close(File *file) { delete file; }

// The first error since the last look, or nothing; valid until the next call on this file.
const char *sparse_error(File *file) { return file->error.c_str(); }

void sparse_forget_error(File *file) { file->error.clear(); }

int sparse_write(File *file, const Piece *pieces, uint64_t count, const char *data) {
    return guarded(file, [&] { write_pieces(file, pieces, count, data); });
}

// Threads start together; each writes all pieces, or its share of them in one stretch.
int sparse_write_threads(File *file, const Piece *pieces, uint64_t count, const char *data,
                         uint64_t threads, int split) {
    std::vector<std::thread> workers;
    std::atomic<bool> go{false};
    std::atomic<int> failures{0};
    const auto started = guarded(file, [&] {
        uint64_t first = 0;
        const char *from = data;
        for (uint64_t thread = 0; thread < threads; ++thread) {
            const uint64_t last = split ? count * (thread + 1) / threads : count;
            workers.emplace_back([=, &go, &failures] {
                while (!go.load(std::memory_order_acquire)) std::this_thread::yield();
                failures -= guarded(
                    file, [&] { write_pieces(file, pieces + first, last - first, from); });
            });
            if (split)
                for (; first < last; ++first) from += pieces[first].length;
        }
    });
    go.store(true, std::memory_order_release);
    for (auto &thread : workers) thread.join();
    return started || failures ? -1 : 0;
}

// Gathers the pieces one after the other into `out`.
int sparse_read(File *file, const Piece *pieces, uint64_t count, char *out) {
    return guarded(file, [=] {
        each(file, pieces, count, [out](auto &from, const Piece &piece) mutable {
            from.read(piece.position, piece.length, out);
            out += piece.length;
        });
    });
}

int sparse_need(File *file, const Piece *pieces, uint64_t count, uint64_t greedy, Needed *out) {
    return guarded(file, [&] {
        // Sums of sums tell the order too, and wait for one addition a range only.
        uint64_t ranges = 0, lengths = 0, sum = 0, of_sums = 0;
        each(file, pieces, count, [&](auto &of, const Piece &piece) {
            const auto answer = of.need(piece.position, piece.length, greedy);
            ranges += answer.size();
            for (const auto &range : answer) {
                lengths += range.second;
                of_sums += sum += range.first + range.second * 0x9e3779b97f4a7c15u;
            }
        });
        *out = Needed{ranges, lengths, of_sums};
    });
}

uint64_t sparse_size_of(File *file) { return file->get().size_of(); }
uint64_t sparse_blocks(File *file) { return file->get().num_blocks(); }
uint64_t sparse_bytes(File *file) { return file->get().num_bytes(); }
}
