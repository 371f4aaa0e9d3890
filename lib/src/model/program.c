/* Asking the program that builds simulator models for one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "model/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

extern char **environ;

enum { EXIT_BUILD = 3, EXIT_DESIGN = 4, EXIT_PARAMETER = 5 };

/* The last characters of a stream. */
typedef struct tail {
    char text[4096];
    size_t length;
} tail;

static void tail_append(tail *t, const char *data, size_t size)
{
    const size_t room = sizeof t->text - 1;
    if (size > room) {
        data += size - room;
        size = room;
    }
    if (t->length + size > room) {
        const size_t drop = t->length + size - room;
        memmove(t->text, t->text + drop, t->length - drop);
        t->length -= drop;
    }
    memcpy(t->text + t->length, data, size);
    t->length += size;
    t->text[t->length] = '\0';
}

/* Cuts white space off the end. */
static void tail_trim(tail *t)
{
    while (t->length > 0 && strchr(" \t\r\n", t->text[t->length - 1]) != NULL) {
        t->text[--t->length] = '\0';
    }
}

/* Reads both streams until both have ended. */
static void drain(const int fds[2], tail tails[2])
{
    struct pollfd polled[2] = {{fds[0], POLLIN, 0}, {fds[1], POLLIN, 0}};
    int open_streams = 2;
    while (open_streams > 0) {
        if (poll(polled, 2, -1) < 0 && errno != EINTR) {
            return;
        }
        for (int i = 0; i < 2; i++) {
            char data[4096];
            if (polled[i].fd < 0 || polled[i].revents == 0) {
                continue;
            }
            polled[i].revents = 0;
            const ssize_t got = read(polled[i].fd, data, sizeof data);
            if (got > 0) {
                tail_append(&tails[i], data, (size_t)got);
            } else if (got == 0 || errno != EINTR) {
                polled[i].fd = -1; /* poll() passes over it */
                open_streams--;
            }
        }
    }
}

static int make_pipe(int fds[2])
{
    if (pipe(fds) != 0) {
        return -1;
    }
    (void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

/* Runs the program with its output and errors caught; returns its exit status as waitpid() gives it, or -1 with errno. */
static int run(char *const arguments[], tail tails[2])
{
    int out[2], err[2];
    pid_t child = -1;
    if (make_pipe(out) != 0) {
        return -1;
    }
    if (make_pipe(err) != 0) {
        (void)close(out[0]);
        (void)close(out[1]);
        return -1;
    }
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure == 0) {
        failure = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        failure = failure != 0 ? failure : posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        failure = failure != 0 ? failure : posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
        failure = failure != 0 ? failure : posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)close(out[1]);
    (void)close(err[1]);
    int status = -1;
    if (failure == 0) {
        const int fds[2] = {out[0], err[0]};
        drain(fds, tails);
        pid_t ended;
        do {
            ended = waitpid(child, &status, 0);
        } while (ended < 0 && errno == EINTR);
        failure = ended < 0 ? errno : 0; /* ECHILD: this process ignores SIGCHLD */
    }
    (void)close(out[0]);
    (void)close(err[0]);
    errno = failure;
    return status;
}

monpro_status monpro_model_path(char *path, size_t size, const char *spec, bool trace, monpro_error *error)
{
    const char *program = getenv("MONPRO_PROGRAM");
    if (program == NULL || *program == '\0') {
        program = "monpro";
    }
    if (*spec == '-' || *spec == '\0') { /* it would be taken for an option */
        return monpro_fail(error, MONPRO_ERR_DESIGN, "no design \"%s\"; `%s designs` lists them", spec, program);
    }
    char model[] = "model", trace_option[] = "--trace";
    char *program_argument = strdup(program), *spec_argument = strdup(spec);
    tail *tails = calloc(2, sizeof *tails);
    monpro_status status = MONPRO_OK;
    if (program_argument == NULL || spec_argument == NULL || tails == NULL) {
        status = monpro_fail(error, MONPRO_ERR_MEMORY, "no memory to ask for a model");
        goto end;
    }
    char *const arguments[] = {program_argument, model, spec_argument, trace ? trace_option : NULL, NULL};
    const int ended = run(arguments, tails);
    if (ended < 0) {
        status = monpro_fail(error, MONPRO_ERR_BUILD,
                             "the program %s, which builds models, cannot be run: %s (MONPRO_PROGRAM names another)",
                             program, strerror(errno));
        goto end;
    }
    tail_trim(&tails[0]);
    tail_trim(&tails[1]);
    const int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    if (code != 0) {
        /* The end of the text says most: leave it room in the message. */
        const size_t room = sizeof error->message - 100;
        const char *words = tails[1].text + (tails[1].length > room ? tails[1].length - room : 0);
        status = code == EXIT_DESIGN ? MONPRO_ERR_DESIGN : code == EXIT_PARAMETER ? MONPRO_ERR_PARAMETER
                                                                                  : MONPRO_ERR_BUILD;
        status = monpro_fail(error, status, "%s", *words != '\0' ? words : "the program failed without a word");
        goto end;
    }
    const char *last_line = strrchr(tails[0].text, '\n');
    last_line = last_line == NULL ? tails[0].text : last_line + 1;
    if (*last_line == '\0' || strlen(last_line) >= size) {
        status = monpro_fail(error, MONPRO_ERR_BUILD, "%s printed no path of a model", program);
        goto end;
    }
    memcpy(path, last_line, strlen(last_line) + 1);
end:
    free(tails);
    free(spec_argument);
    free(program_argument);
    return status;
}
