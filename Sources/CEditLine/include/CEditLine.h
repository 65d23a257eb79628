#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stddef.h>
#include <stdint.h>

/// A line editor: libedit, which is loaded when one is opened first. A program that is built with this runs without it.
typedef struct ceditline ceditline;

/// What the editor asks for while it reads a line, on the thread that reads.
typedef struct {
    void *context;
    /// The next character of the input; 0 at its end, -1 to give the line up.
    int32_t (*next)(void *context);
    /// Tab was typed.
    void (*complete)(void *context);
} ceditline_callbacks;

/// Opens an editor, and reads the user's ~/.editrc. Characters are UTF-8 from now on in the whole program.
///
/// @param input the terminal, whose modes are changed while a line is read.
/// @param output the terminal that is drawn on.
/// @param prompt what stands before the line, a C string; it is copied.
/// @param history how many lines are remembered.
/// @return NULL when libedit is not there, or the terminal cannot be used.
ceditline *ceditline_open(int input, int output, const char *prompt, int history, ceditline_callbacks callbacks);
void ceditline_close(ceditline *editor);

/// Adds a line, without its end, to those that can be gone back to.
void ceditline_remember(ceditline *editor, const char *line);

/// Reads a line. The terminal's modes are as before when this returns.
///
/// @param line points to the octets of the line, its end included, until the next call.
/// @return how many there are; 0 or less when there is no line.
int ceditline_read(ceditline *editor, const char **line);

// While a line is read, for the callbacks:

/// The octets of the line, and how many of them are before the cursor.
void ceditline_line(ceditline *editor, const char **line, size_t *length, size_t *cursor);
/// Takes characters away before the cursor, and puts others in their place.
void ceditline_replace(ceditline *editor, int count, const char *text);
/// Draws prompt and line where the terminal's cursor is, which is at the left.
void ceditline_draw(ceditline *editor);
/// The size of the terminal has changed.
void ceditline_resize(ceditline *editor);
/// The terminal's modes were changed by somebody else.
void ceditline_take_terminal(ceditline *editor);

/// How many columns a character takes; less than 0 when it cannot be shown.
int ceditline_columns(uint32_t character);

#endif
