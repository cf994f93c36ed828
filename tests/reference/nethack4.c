/* A stand-in for NetHack 4.3 at its log: the rules of its locks and signals, and nothing of the game.

   Written from a description of them (what the published engine does, observed while it ran); no line of it is the
   engine's. It keeps its weaknesses, because those are what others have to live with: it counts an answer as expected
   before it asks, whether or not the request could be sent; it forgets nobody who cannot answer; it gives up after two
   seconds, and takes that for a corrupted save, after which it writes no more; and who waits for leave to lock again and
   does not get the lock within three seconds aborts.

       nethack4 LOG        says "ready"; then each line of its input is a command, and each command has one answer:

       append LINE         "written", "dropped" (somebody else wrote first), or "corrupted: WHY", now and ever after
       cancels             how many times it was told that the file may have changed

   While it waits for a command it rests in a read lock, and gives it up for whoever asks. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

enum { REQ_DOWN, REQ_UP, REL_DOWN, REL_UP, ACK, SIGNALS };
enum level { MONITOR, READ, WRITE };

enum { WRITE_PATIENCE = 2, READ_PATIENCE = 2, BACK_PATIENCE = 1, RELOCK_PATIENCE = 3, MOST_WATCHERS = 4096 };

static int fd, bell[2];
static volatile sig_atomic_t incoming, outgoing, timed_out, cancels;
static pid_t watchers[MOST_WATCHERS]; /* asked in this acquisition */
static int asked;

static int number(int which) { return SIGRTMIN + which; }

static void send(pid_t pid, int which) { sigqueue(pid, number(which), (union sigval){0}); } /* its result is ignored */

static void set(int which, void (*handler)(int, siginfo_t *, void *), struct sigaction *old)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (int each = 0; each < SIGNALS; each++)
        sigaddset(&action.sa_mask, number(each));
    sigaction(number(which), &action, old);
}

static int lock(int how, short kind)
{
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};
    return fcntl(fd, how, &whole);
}

static void on_alarm(int signal) { (void)signal, timed_out = 1; }

static void on_release(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info, (void)context;
    if (incoming > 0)
        incoming--;
}

static void on_answer(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info, (void)context;
    if (outgoing > 0)
        outgoing--;
}

/* Another request while the lock is given up already. */
static void on_request_unlocked(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    incoming++;
    send(info->si_pid, ACK);
}

static void relock(void)
{
    struct sigaction action = {.sa_handler = on_alarm}, old;
    sigaction(SIGALRM, &action, &old);
    timed_out = 0;
    unsigned left = alarm(RELOCK_PATIENCE);
    while (lock(F_SETLKW, F_RDLCK))
        if (errno != EINTR || timed_out)
            abort();
    alarm(left);
    sigaction(SIGALRM, &old, NULL);
}

static void on_request(int signal, siginfo_t *info, void *context)
{
    int saved_errno = errno, saved_timed_out = timed_out;
    struct sigaction down, up;
    (void)signal;
    if (info->si_code != SI_QUEUE)
        return;
    incoming++;
    set(REQ_DOWN, on_request_unlocked, &down);
    set(REQ_UP, on_request_unlocked, &up);
    lock(F_SETLK, F_UNLCK);
    send(info->si_pid, ACK);
    sigset_t open = ((ucontext_t *)context)->uc_sigmask;
    sigdelset(&open, number(REQ_UP)), sigdelset(&open, number(REL_UP)), sigdelset(&open, number(ACK));
    while (incoming) {
        struct timespec patience = {.tv_sec = RELOCK_PATIENCE};
        if (pselect(0, NULL, NULL, NULL, &patience, &open) == 0)
            break;
    }
    incoming = 0;
    sigaction(number(REQ_DOWN), &down, NULL);
    sigaction(number(REQ_UP), &up, NULL);
    relock();
    cancels++;
    if (write(bell[1], "", 1) < 0) {} /* full: it rings already */
    errno = saved_errno, timed_out = saved_timed_out;
}

/* Wait for those who were asked, try, ask the next; whether the lock is ours. */
static int seek(enum level level, const sigset_t *waiting)
{
    short kind = level == WRITE ? F_WRLCK : F_RDLCK;
    for (;;) {
        while ((incoming || outgoing) && !timed_out)
            sigsuspend(waiting);
        if (timed_out) {
            incoming = outgoing = 0;
            return 0;
        }
        if (!lock(F_SETLK, kind))
            return 1;
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EACCES)
            return 0;
        struct flock other = {.l_type = kind, .l_whence = SEEK_SET};
        if (fcntl(fd, F_GETLK, &other))
            return 0;
        if (other.l_type == F_UNLCK)
            continue;
        if (asked == MOST_WATCHERS)
            return 0;
        outgoing++;
        send(other.l_pid, other.l_pid < getpid() ? REQ_DOWN : REQ_UP);
        watchers[asked++] = other.l_pid;
    }
}

static int acquire(enum level level, unsigned patience)
{
    sigset_t shut, opened, before;
    set(REQ_DOWN, on_request, NULL), set(REQ_UP, on_request, NULL);
    set(REL_DOWN, on_release, NULL), set(REL_UP, on_release, NULL);
    set(ACK, on_answer, NULL);
    struct sigaction action = {.sa_handler = on_alarm}, old;
    sigaction(SIGALRM, &action, &old);
    sigemptyset(&shut);
    for (int each = 0; each < SIGNALS; each++)
        sigaddset(&shut, number(each));
    sigaddset(&shut, SIGALRM);
    sigprocmask(SIG_BLOCK, &shut, &before);
    sigset_t waiting = before; /* of two that seek, the lower process id goes first: it does not hear the higher one */
    sigaddset(&waiting, number(REQ_DOWN)), sigaddset(&waiting, number(REL_DOWN));
    sigdelset(&waiting, number(REQ_UP)), sigdelset(&waiting, number(REL_UP));
    sigdelset(&waiting, number(ACK)), sigdelset(&waiting, SIGALRM);
    timed_out = 0;
    unsigned left = alarm(patience);
    int ours = seek(level, &waiting);
    for (; asked; asked--)
        send(watchers[asked - 1], watchers[asked - 1] < getpid() ? REL_DOWN : REL_UP);
    sigemptyset(&opened);
    sigaddset(&opened, number(ACK)), sigaddset(&opened, SIGALRM);
    if (level == MONITOR)
        opened = shut;
    sigprocmask(SIG_UNBLOCK, &opened, NULL);
    alarm(left);
    sigaction(SIGALRM, &old, NULL);
    return ours;
}

static off_t size(void)
{
    struct stat status;
    fstat(fd, &status);
    return status.st_size;
}

static off_t end; /* of the log as this game knows it */

/* Returns what to answer, which is "corrupted" once a lock was not to be had. */
static const char *append(const char *line)
{
    const char *answer = "written";
    if (!acquire(WRITE, WRITE_PATIENCE))
        return "corrupted: Could not upgrade to write lock on logfile";
    if (size() != end)
        answer = "dropped";
    else if (pwrite(fd, line, strlen(line), end) != (ssize_t)strlen(line))
        answer = "corrupted: Could not write to logfile";
    end = size();
    if (!acquire(MONITOR, BACK_PATIENCE))
        return "corrupted: Could not downgrade to monitor lock on logfile";
    return answer;
}

/* Somebody may have written: the game follows. */
static const char *look(void)
{
    if (!acquire(READ, READ_PATIENCE))
        return "corrupted: Could not upgrade to read lock on logfile";
    end = size();
    if (!acquire(MONITOR, READ_PATIENCE))
        return "corrupted: Could not downgrade to monitor lock on logfile";
    return NULL;
}

static void take_bell(void)
{
    char rung[64];
    while (read(bell[0], rung, sizeof rung) > 0) {}
}

static const char *do_command(const char *line)
{
    static char told[32];
    if (!strncmp(line, "append ", 7))
        return append(line + 7);
    snprintf(told, sizeof told, "%d", (int)cancels);
    return told;
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    size_t length = 0;
    sigset_t ours;
    sigemptyset(&ours);
    for (int each = 0; each < SIGNALS; each++)
        sigaddset(&ours, number(each));
    if (argc != 2 || (fd = open(argv[1], O_RDWR)) < 0 || pipe2(bell, O_NONBLOCK))
        return 2;
    if (!acquire(MONITOR, BACK_PATIENCE))
        return 3;
    sigprocmask(SIG_UNBLOCK, &ours, NULL); /* our parent may have had them blocked */
    end = size();
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    const char *corrupted = NULL;
    for (;;) {
        struct pollfd hears[] = {{.fd = 0, .events = POLLIN}, {.fd = bell[0], .events = POLLIN}};
        if (poll(hears, 2, -1) < 0)
            continue;
        if (hears[1].revents)
            take_bell();
        if (hears[1].revents && !corrupted)
            corrupted = look();
        if (!hears[0].revents)
            continue;
        ssize_t got = read(0, line + length, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || ++length == sizeof line - 1)
            return 0;
        if (line[length - 1] != '\n')
            continue;
        line[length] = 0, length = 0;
        const char *answer = corrupted ? corrupted : do_command(line);
        if (!strncmp(answer, "corrupted", 9))
            corrupted = answer;
        puts(answer);
    }
}
