// A command line is declared once, as values: a `Program` with its global options and its `Command`s, each with
// options and positional arguments. Everything else is derived from the declaration, so that it cannot drift from it:
//
//   Program.parse        arguments to an `Invocation`, or a `UsageError` of one line
//   Program.help         the text of `-h`, `help` and `help COMMAND`
//   Program.completion   scripts for bash, zsh and fish
//
// The grammar is the usual one of GNU programs. Options stand anywhere: global ones before or after the command, a
// command's own after it. `--name VALUE` and `--name=VALUE` are the same, as are `-n VALUE` and `-nVALUE`; flags of one
// letter may be clustered (`-qv`), the last one of a cluster may take a value. `--` ends the options. A lone `-` is an
// argument. Of an option that takes one value and is given twice, the last one counts. Names are not abbreviated, so
// that a script never breaks because an option was added.
