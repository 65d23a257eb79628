"""A terminal's screen: as much of ECMA-48 as a line editor needs. What is not known is an error, so that nothing is
overlooked."""

import re
import unicodedata


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        # Every row that ever was, those that scrolled away included.
        self.lines = [[" "] * columns]
        self.top, self.row, self.column = 0, 0, 0
        self.wraps = False
        self.rest = ""

    def resize(self, columns, rows):
        for line in self.lines:
            line[:] = (line + [" "] * columns)[:columns]
        self.columns, self.rows = columns, rows
        self.column = min(self.column, columns - 1)
        self.top = max(self.top, self.row - rows + 1)

    def text(self):
        return ["".join(line).rstrip() for line in self.lines]

    def current(self):
        """The row of the cursor."""
        return self.text()[self.row]

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        position = 0
        while position < len(text):
            character = text[position]
            if character == "\x1b":
                match = re.compile(r"\x1b(?:\[([0-9;?]*)([A-Za-z@])|([=>78]))").match(text, position)
                if not match:
                    if len(text) - position > 16:
                        raise ValueError(f"unknown sequence {text[position:position + 16]!r}")
                    self.rest = text[position:]
                    return
                if match.group(2):
                    self.control(match.group(1), match.group(2))
                position = match.end()
                continue
            position += 1
            if character == "\r":
                self.column, self.wraps = 0, False
            elif character == "\n":
                self.down()
            elif character == "\b":
                self.column, self.wraps = max(0, self.column - 1), False
            elif character == "\x07":
                pass
            elif character == "\t":
                self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
            elif ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0:
                raise ValueError(f"control character {character!r}")
            else:
                self.put(character)

    def down(self):
        self.row += 1
        self.wraps = False
        while self.row >= len(self.lines):
            self.lines.append([" "] * self.columns)
        self.top = max(self.top, self.row - self.rows + 1)

    def put(self, character):
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if self.wraps or self.column + width > self.columns:
            self.column = 0
            self.down()
        self.lines[self.row][self.column] = character
        if width == 2:
            self.lines[self.row][self.column + 1] = ""
        self.column += width
        if self.column >= self.columns:
            self.column, self.wraps = self.columns - 1, True

    def control(self, parameters, final):
        numbers = [int(number or 0) for number in parameters.lstrip("?").split(";")]
        count = max(1, numbers[0])
        line = self.lines[self.row]
        blank = [" "] * self.columns
        if final in "ABCDGHJK@PX":
            self.wraps = False
        if final == "A":
            self.row = max(self.top, self.row - count)
        elif final == "B":
            for _ in range(count):
                if self.row < self.top + self.rows - 1:
                    self.down()
        elif final == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif final == "D":
            self.column = max(0, self.column - count)
        elif final == "G":
            self.column = min(self.columns, count) - 1
        elif final == "H":
            self.row, self.column = self.top + count - 1, 0
            while self.row >= len(self.lines):
                self.lines.append(blank[:])
        elif final == "J":
            if numbers[0] == 0:
                line[self.column:] = blank[self.column:]
                del self.lines[self.row + 1:]
            elif numbers[0] == 2:
                self.lines[self.top:] = [blank[:] for _ in self.lines[self.top:]]
            else:
                raise ValueError(f"J {parameters}")
        elif final == "K":
            if numbers[0] != 0:
                raise ValueError(f"K {parameters}")
            line[self.column:] = blank[self.column:]
        elif final == "@":
            line[self.column:self.column] = [" "] * count
            del line[self.columns:]
        elif final == "P":
            del line[self.column:self.column + count]
            line.extend([" "] * (self.columns - len(line)))
        elif final not in "mhl":
            raise ValueError(f"sequence {parameters}{final}")
