/* Becomes root for good, where its file lets it, and then another program. */
#include <unistd.h>

int main(int count, char **arguments) {
    if (count < 2 || setgid(0) || setuid(0))
        return 99;
    execv(arguments[1], arguments + 1);
    return 98;
}
