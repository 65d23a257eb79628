"""`btatt shell` as somebody sits before it. Called by scripts/check-shell."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from screen import Screen

PROGRAM = sys.argv[1]
PROMPT = "heart-rate> "
HEART_RATE = re.compile(r"^\d\d:\d\d:\d\d\.\d{6}  0x000c  [0-9a-f]{8}  \d+ bpm, contact, RR \d\.\d{3} s$")
# Many times what anything here takes, for machines that do much else.
PATIENCE = 20


class Terminal:
    """A program on a pseudo-terminal of its own."""

    def __init__(self, home, arguments, terminal="xterm", columns=90, rows=24, environment=None):
        self.screen = Screen(columns, rows)
        self.log = []
        self.master, self.slave = pty.openpty()
        self.size(columns, rows)
        self.modes = termios.tcgetattr(self.slave)
        variables = {
            "PATH": os.environ["PATH"], "HOME": home, "TERM": terminal, "LANG": "C.UTF-8", **(environment or {}),
        }
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave, env=variables,
            preexec_fn=lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0)))

    def size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(columns, rows)

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self, seconds):
        readable, _, _ = select.select([self.master], [], [], seconds)
        if readable:
            try:
                octets = os.read(self.master, 65536)
                self.log.append(octets)
                self.screen.feed(octets.decode(errors="surrogateescape"))
            except OSError:
                return False
        return bool(readable)

    def wait(self, what, condition):
        """Reads until a condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come; the screen is\n" + "\n".join(self.screen.text()))
            self.read(0.1)
        return self

    def sees(self, *lines):
        """Waits until the last lines of the screen, that of the cursor included, are these."""
        def condition():
            shown = self.screen.text()[: self.screen.row + 1]
            return shown[-len(lines):] == [line.rstrip() for line in lines]
        return self.wait(repr(lines), condition)

    def awaits_prompt(self):
        return self.wait("the prompt", lambda: self.screen.current() == PROMPT.rstrip())

    def values(self):
        return [line for line in self.screen.text() if HEART_RATE.match(line)]

    def awaits_values(self, count):
        already = len(self.values())
        return self.wait(f"{count} values", lambda: len(self.values()) >= already + count)

    def leaves(self):
        """Gives up the line, and ends the shell."""
        self.type("\x03")
        self.wait("another line", lambda: "^C" in "".join(self.screen.text()[-2:]) and self.screen.current() == PROMPT.rstrip())
        self.type("\x04")
        self.ends(0)

    def ends(self, status):
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, "did not end; the screen is\n" + "\n".join(self.screen.text())
            self.read(0.1)
        while self.read(0.1):
            pass
        assert self.process.returncode == status, f"exit status {self.process.returncode}\n" + "\n".join(self.screen.text())
        assert termios.tcgetattr(self.slave) == self.modes, "the terminal's modes are not as before"
        assert self.screen.column == 0, "the cursor is not at the left"
        os.close(self.master)
        os.close(self.slave)


def shell(home, **options):
    return Terminal(home, ["-d", "virtual:heart-rate", "shell"], **options).sees(PROMPT)


def check_completion_and_values(home):
    terminal = shell(home)
    terminal.type("read bat\t")
    terminal.sees(PROMPT + "read battery_service/")
    terminal.type("\x15read \t")
    terminal.sees("btatt: the attributes of the device are not known yet; \"discover\" finds them", PROMPT + "read")
    terminal.type("\x15disc\t")
    terminal.sees(PROMPT + "discover")
    terminal.type("\r")
    terminal.sees("0x0021  └─ 2a23 System ID  read", PROMPT)
    terminal.type("read batt\t\t")
    terminal.sees(PROMPT + "read battery_service/battery_level")
    terminal.type("\r")
    terminal.sees("0x0014  57  87 %", PROMPT)
    terminal.type("read d\tm\t")
    terminal.sees(
        "manufacturer_name_string  model_number_string", PROMPT + "read device_information/m")
    terminal.type("o\t --j\t\r")
    terminal.wait("JSON", lambda: any('"kind":"value","handle":27,"uuid":"2a24"' in line for line in terminal.screen.text()))
    terminal.awaits_prompt()
    terminal.type("\x04")
    terminal.ends(0)


def check_values_leave_the_line_alone(home):
    terminal = shell(home)
    terminal.type("subscribe 180d/2a37\r")
    terminal.awaits_values(1)
    terminal.type("read 18")
    terminal.sees(PROMPT + "read 18")
    for _ in range(2):
        terminal.awaits_values(1)
        terminal.sees(PROMPT + "read 18")
    # The cursor stays where it is, too.
    terminal.type("\x02\x02")
    terminal.awaits_values(1)
    terminal.type("0x00")
    terminal.sees(PROMPT + "read 0x0018")
    # A line of several rows, the cursor in the first, the last, and in between; wide characters.
    long = "write 0x0011 'text:" + "0123456789" * 20 + "日本語" + "end"
    terminal.type("\x15" + long)
    whole = PROMPT + long
    rows = [whole[:90], whole[90:180], whole[180:]]
    terminal.awaits_values(1)
    terminal.sees(*rows)
    terminal.type("\x01" + "\x1b[C" * 100)
    terminal.awaits_values(2)
    terminal.wait("the rows", lambda: terminal.screen.text()[-3:] == rows)
    terminal.type("\x01")
    terminal.awaits_values(1)
    terminal.wait("the rows", lambda: terminal.screen.text()[-3:] == rows)
    # Nothing but values, commands and prompts is anywhere.
    terminal.type("\x05\x03")
    terminal.sees(rows[-1] + "^C", PROMPT)
    terminal.type("unsubscribe\r")
    terminal.sees(PROMPT + "unsubscribe", PROMPT)
    known = {PROMPT + "subscribe 180d/2a37", PROMPT + "unsubscribe", PROMPT.rstrip(), *rows[:-1], rows[-1] + "^C"}
    strays = [line for line in terminal.screen.text() if line not in known and not HEART_RATE.match(line)]
    assert not strays, f"{strays} {terminal.log[:6]}"
    terminal.type("quit\r")
    terminal.ends(0)


def check_history(home):
    first, second = shell(home), shell(home)
    for terminal, line in (first, "read 20"), (second, "read 3"), (first, "read 25"):
        terminal.type(line + "\r")
        terminal.wait("the line", lambda: PROMPT + line in terminal.screen.text()).awaits_prompt()
    first.type(" read 27\rwrite --signed --csrk 00112233445566778899aabbccddeeff 3 0x01\r")
    first.wait("the last line", lambda: "ddeeff" in "".join(first.screen.text())).awaits_prompt()
    first.type("\x1b[A")
    first.sees(PROMPT + "read 25")
    first.type("\x1b[A\x1b[B\x1b[A")
    first.sees(PROMPT + "read 20")
    for terminal in first, second:
        terminal.leaves()
    path = f"{home}/.local/state/btatt/shell-history"
    assert open(path).read() == "read 20\nread 3\nread 25\n", open(path).read()
    assert os.stat(path).st_mode & 0o777 == 0o600
    third = shell(home)
    third.type("\x1b[A\x1b[A")
    third.sees(PROMPT + "read 3")
    third.type("\x12d 20")
    third.wait("the search", lambda: PROMPT + "read 20" in third.screen.text())
    third.type("\r")
    third.wait("the value", lambda: "0x0014  57" in third.screen.text()).awaits_prompt()
    third.type("\x04")
    third.ends(0)


def check_interrupts(home):
    terminal = shell(home)
    terminal.type("read 0x99")
    terminal.sees(PROMPT + "read 0x99")
    terminal.type("\x1b[D\x1b[D\x03")
    terminal.sees(PROMPT + "read 0x99^C", PROMPT)
    terminal.type("wait 600\r")
    terminal.wait("the command", lambda: terminal.screen.text()[-1] == "" and terminal.screen.column == 0)
    time.sleep(0.5)
    began = time.monotonic()
    terminal.type("\x03")
    terminal.awaits_prompt()
    assert time.monotonic() - began < 30
    terminal.type("raed 3\r")
    terminal.sees('btatt: unknown command "raed"; did you mean "read"?', PROMPT)
    terminal.type("read 20\r")
    terminal.sees(PROMPT + "read 20", "0x0014  57", PROMPT)
    terminal.type("\x04")
    terminal.ends(0)


def check_resizing(home):
    terminal = shell(home)
    terminal.type("subscribe 180d/2a37\r")
    terminal.awaits_values(1)
    terminal.type("read 0x0014")
    terminal.size(70, 20)
    terminal.awaits_values(2)
    terminal.sees(PROMPT + "read 0x0014")
    terminal.size(120, 40)
    terminal.awaits_values(1)
    terminal.type("\x15read " + "0x0014 " * 16)
    terminal.awaits_values(1)
    whole = PROMPT + "read " + "0x0014 " * 16
    terminal.sees(whole[:120], whole[120:])
    terminal.leaves()


def check_lost_link(home):
    path = f"{home}/att"
    server = subprocess.Popen(
        [PROGRAM, "serve", "heart-rate", "--on", f"unix:{path}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists(path):
        time.sleep(0.05)
    terminal = Terminal(home, ["-d", f"unix:{path}", "shell"]).sees("att> ")
    terminal.type("subscribe 180d/2a37\r")
    terminal.awaits_values(1)
    terminal.type("half a l")
    terminal.sees("att> half a l")
    server.send_signal(signal.SIGINT)
    server.wait()
    terminal.ends(6)
    ends = [line for line in terminal.screen.text() if line.startswith("btatt: ")]
    assert len(ends) == 1 and path in ends[0], ends


def check_signals(home):
    for number in signal.SIGTERM, signal.SIGHUP:
        terminal = shell(home)
        terminal.type("subscribe 180d/2a37\rhalf a l")
        terminal.awaits_values(1)
        terminal.sees(PROMPT + "half a l")
        terminal.process.send_signal(number)
        terminal.ends(130)
    # Stopped and continued by another program that leaves the terminal as it likes it.
    terminal = shell(home)
    terminal.type("read 2")
    terminal.sees(PROMPT + "read 2")
    raw = termios.tcgetattr(terminal.slave)
    terminal.process.send_signal(signal.SIGSTOP)
    termios.tcsetattr(terminal.slave, termios.TCSANOW, terminal.modes)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait("the terminal's modes", lambda: termios.tcgetattr(terminal.slave) == raw)
    terminal.type("0\r")
    terminal.wait("the value", lambda: "0x0014  57" in terminal.screen.text())
    terminal.type("\x04")
    terminal.ends(0)
    # The terminal goes away.
    terminal = shell(home)
    os.close(terminal.master)
    os.close(terminal.slave)
    assert terminal.process.wait(PATIENCE) in (0, 130), terminal.process.returncode


def check_poor_terminals(home):
    # Without a way to move the cursor up.
    terminal = shell(home, terminal="dumb")
    terminal.type("subscribe 180d/2a37\r")
    terminal.awaits_values(1)
    terminal.type("read 2")
    terminal.awaits_values(2)
    terminal.sees(PROMPT + "read 2")
    terminal.type("0\r")
    terminal.wait("the value", lambda: "0x0014  57" in terminal.screen.text())
    terminal.type("\x04")
    terminal.ends(0)
    # One that nobody has heard of; libedit says so, and goes on.
    terminal = shell(home, terminal="no-such-terminal")
    terminal.type("read 20\r")
    terminal.wait("the value", lambda: "0x0014  57" in terminal.screen.text())
    terminal.type("\x04")
    terminal.ends(0)
    # Characters of another locale are UTF-8 all the same.
    terminal = shell(home, environment={"LANG": "C"})
    terminal.type("# grüße")
    terminal.sees(PROMPT + "# grüße")
    terminal.leaves()


def check_without_libedit(home):
    os.mkdir(f"{home}/lib")
    # Found first, and no library.
    open(f"{home}/lib/libedit.so.2", "w").close()
    terminal = shell(home, environment={"LD_LIBRARY_PATH": f"{home}/lib"})
    terminal.type("subscribe 180d/2a37\r")
    terminal.awaits_values(2)
    # The kernel echoes at once, wherever the cursor is.
    terminal.awaits_prompt()
    terminal.type("unsubscribe\r")
    terminal.wait("the next prompt", lambda: terminal.screen.text()[-2:] == [PROMPT + "unsubscribe", PROMPT.rstrip()])
    terminal.type("read 20\r")
    terminal.wait("the value", lambda: "0x0014  57" in terminal.screen.text())
    terminal.leaves()


def main():
    checks = {name[6:]: check for name, check in globals().items() if name.startswith("check_")}
    failed = []
    for name in sys.argv[2:] or checks:
        home = tempfile.mkdtemp()
        try:
            checks[name](home)
            print(f"{name}: done", flush=True)
        except (AssertionError, ValueError) as error:
            failed.append(name)
            print(f"{name}: FAILED: {error}", flush=True)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
