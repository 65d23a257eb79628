#define _GNU_SOURCE
#include "CEditLine.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

// What <histedit.h> declares, as far as it is used; declared here, so that no header has to be installed.
typedef struct editline EditLine;
typedef struct history History;
typedef struct {
    const char *buffer, *cursor, *lastchar;
} LineInfo;
typedef struct {
    int num;
    const char *str;
} HistEvent;
enum {
    EL_EDITOR = 2, EL_SIGNAL = 3, EL_BIND = 4, EL_ADDFN = 9, EL_HIST = 10, EL_GETCFN = 13, EL_CLIENTDATA = 14,
    EL_PREP_TERM = 16, EL_REFRESH = 20, EL_PROMPT = 0
};
enum { CC_REFRESH = 4 };
enum { H_SETSIZE = 1, H_ENTER = 10, H_SETUNIQUE = 20 };

static struct {
    EditLine *(*init)(const char *, FILE *, FILE *, FILE *);
    void (*end)(EditLine *);
    const char *(*gets)(EditLine *, int *);
    int (*set)(EditLine *, int, ...);
    int (*get)(EditLine *, int, ...);
    const LineInfo *(*line)(EditLine *);
    int (*insert)(EditLine *, const char *);
    void (*delete)(EditLine *, int);
    void (*resize)(EditLine *);
    int (*source)(EditLine *, const char *);
    History *(*history_init)(void);
    void (*history_end)(History *);
    int (*history)(History *, HistEvent *, int, ...);
} edit;

static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const struct {
        const char *name;
        void *place;
    } symbols[] = {
        {"el_init", &edit.init}, {"el_end", &edit.end}, {"el_gets", &edit.gets}, {"el_set", &edit.set},
        {"el_get", &edit.get}, {"el_line", &edit.line}, {"el_insertstr", &edit.insert},
        {"el_deletestr", &edit.delete}, {"el_resize", &edit.resize}, {"el_source", &edit.source},
        {"history_init", &edit.history_init}, {"history_end", &edit.history_end}, {"history", &edit.history},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol) return;
        *(void **)symbols[i].place = symbol;
    }
    is_loaded = 1;
}

struct ceditline {
    EditLine *el;
    History *history;
    FILE *input, *output;
    char *prompt;
    ceditline_callbacks callbacks;
};

static ceditline *owner(EditLine *el) {
    ceditline *editor = NULL;
    edit.get(el, EL_CLIENTDATA, &editor);
    return editor;
}

static const char *prompt(EditLine *el) { return owner(el)->prompt; }

static int next(EditLine *el, wchar_t *character) {
    ceditline *editor = owner(el);
    int32_t code = editor->callbacks.next(editor->callbacks.context);
    *character = code > 0 ? (wchar_t)code : 0;
    return code > 0 ? 1 : code;
}

static unsigned char complete(EditLine *el, int key) {
    (void)key;
    ceditline *editor = owner(el);
    editor->callbacks.complete(editor->callbacks.context);
    return CC_REFRESH;
}

static FILE *stream(int descriptor, const char *mode) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    FILE *file = copy < 0 ? NULL : fdopen(copy, mode);
    if (!file && copy >= 0) close(copy);
    return file;
}

ceditline *ceditline_open(int input, int output, const char *text, int history, ceditline_callbacks callbacks) {
    // The program writes UTF-8 whatever the locale says; characters have to be counted as such.
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
    pthread_once(&once, load);
    ceditline *editor = is_loaded ? calloc(1, sizeof *editor) : NULL;
    if (!editor) return NULL;
    editor->callbacks = callbacks;
    editor->prompt = strdup(text);
    editor->input = stream(input, "r");
    editor->output = stream(output, "w");
    editor->history = edit.history_init();
    if (editor->prompt && editor->input && editor->output && editor->history)
        editor->el = edit.init("btatt", editor->input, editor->output, editor->output);
    if (!editor->el) {
        ceditline_close(editor);
        return NULL;
    }
    HistEvent event;
    edit.history(editor->history, &event, H_SETSIZE, history);
    edit.history(editor->history, &event, H_SETUNIQUE, 1);
    edit.set(editor->el, EL_CLIENTDATA, editor);
    edit.set(editor->el, EL_SIGNAL, 0);
    edit.set(editor->el, EL_PROMPT, prompt);
    edit.set(editor->el, EL_GETCFN, next);
    edit.set(editor->el, EL_EDITOR, "emacs");
    edit.set(editor->el, EL_HIST, edit.history, editor->history);
    edit.set(editor->el, EL_ADDFN, "btatt-complete", "Complete the word", complete);
    static const char *const keys[][2] = {
        {"^R", "em-inc-search-prev"}, {"^W", "ed-delete-prev-word"}, {"\\e[3~", "ed-delete-next-char"},
        {"\\e[1~", "ed-move-to-beg"}, {"\\e[4~", "ed-move-to-end"}, {"\\e[1;5D", "ed-prev-word"},
        {"\\e[1;5C", "em-next-word"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        edit.set(editor->el, EL_BIND, keys[i][0], keys[i][1], NULL);
    edit.source(editor->el, NULL);
    edit.set(editor->el, EL_BIND, "^I", "btatt-complete", NULL);
    return editor;
}

void ceditline_close(ceditline *editor) {
    if (!editor) return;
    if (editor->el) edit.end(editor->el);
    if (editor->history) edit.history_end(editor->history);
    if (editor->input) fclose(editor->input);
    if (editor->output) fclose(editor->output);
    free(editor->prompt);
    free(editor);
}

void ceditline_remember(ceditline *editor, const char *line) {
    HistEvent event;
    edit.history(editor->history, &event, H_ENTER, line);
}

int ceditline_read(ceditline *editor, const char **line) {
    int count = 0;
    // Before the prompt is seen, or what is typed at once would be echoed twice.
    edit.set(editor->el, EL_PREP_TERM, 1);
    *line = edit.gets(editor->el, &count);
    return *line ? count : -1;
}

void ceditline_line(ceditline *editor, const char **line, size_t *length, size_t *cursor) {
    const LineInfo *info = edit.line(editor->el);
    *line = info->buffer;
    *length = (size_t)(info->lastchar - info->buffer);
    *cursor = (size_t)(info->cursor - info->buffer);
}

void ceditline_replace(ceditline *editor, int count, const char *text) {
    if (count > 0) edit.delete(editor->el, count);
    if (*text) edit.insert(editor->el, text);
}

void ceditline_draw(ceditline *editor) { edit.set(editor->el, EL_REFRESH, NULL); }

void ceditline_resize(ceditline *editor) { edit.resize(editor->el); }

void ceditline_take_terminal(ceditline *editor) {
    edit.set(editor->el, EL_PREP_TERM, 0);
    edit.set(editor->el, EL_PREP_TERM, 1);
}

int ceditline_columns(uint32_t character) { return wcwidth((wchar_t)character); }
