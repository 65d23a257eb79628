"""How the test peripheral pairs: what it can show and enter, which passkey, by which procedure; and changes of that while
it runs, so that one peripheral serves many tests.

A line written to the control pipe is one change, and is logged as 'set: LINE' when it is done:

  io none|display|keyboard|yesno     what it can show and enter
  passkey N                          the passkey that it shows, or enters
  legacy on|off                      LE legacy pairing only
  refuse on|off                      refuses to pair
  mismatch on|off                    says that compared numbers differ
  silent on|off                      never answers a question of pairing
  hold on|off                        waits for the next 'passkey' before it enters one
  forget                             loses all keys
  disconnect REASON                  ends every link with a reason of the controller's
  reset                              all but the keys as at the start
"""

import asyncio
import os
import stat

from bumble.hci import HCI_Disconnect_Command
from bumble.pairing import PairingConfig, PairingDelegate

IO = {
    'none': PairingDelegate.NO_OUTPUT_NO_INPUT,
    'display': PairingDelegate.DISPLAY_OUTPUT_ONLY,
    'keyboard': PairingDelegate.KEYBOARD_INPUT_ONLY,
    'yesno': PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}


def add_arguments(parser):
    parser.add_argument('--io', choices=IO, default='none', help='what it can show and enter')
    parser.add_argument('--passkey', type=int, default=123456, help='the passkey that it shows, or enters')
    parser.add_argument('--legacy-pairing', action='store_true', help='no LE Secure Connections')
    parser.add_argument('--rpa', action='store_true', help='advertise with a resolvable private address')
    parser.add_argument('--control', help='a named pipe to be made, from which changes are read')


class Delegate(PairingDelegate):
    """Answers in the place of a person who holds the device."""

    def __init__(self, security):
        super().__init__(IO[security.io])
        self.security = security

    async def answered(self):
        if self.security.silent:
            await asyncio.sleep(3600)

    async def accept(self):
        await self.answered()
        return not self.security.refuse

    async def generate_passkey(self):
        return self.security.passkey

    async def display_number(self, number, digits):
        self.security.log(f'shows {number:0{digits}}')

    async def get_number(self):
        await self.answered()
        if self.security.hold:
            self.security.entered.clear()
            self.security.log('waits for a passkey')
            await self.security.entered.wait()
        self.security.log(f'enters {self.security.passkey:06}')
        return self.security.passkey

    async def compare_numbers(self, number, digits):
        self.security.log(f'compares {number:0{digits}}')
        await self.answered()
        return not self.security.mismatch


class Security:
    def __init__(self, arguments, log):
        self.arguments, self.log = arguments, log
        self.entered = asyncio.Event()
        self.reset()

    def reset(self):
        self.io, self.passkey, self.legacy = self.arguments.io, self.arguments.passkey, self.arguments.legacy_pairing
        self.refuse = self.mismatch = self.silent = self.hold = False

    def attach(self, device):
        self.device = device
        device.pairing_config_factory = self.configuration

    def configuration(self, _connection):
        return PairingConfig(
            sc=not self.legacy,
            mitm=self.io != 'none',
            bonding=True,
            delegate=Delegate(self),
            identity_address_type=PairingConfig.AddressType.RANDOM,
        )

    def watch(self, connection):
        connection.on('pairing', lambda _keys: self.log('paired'))
        connection.on('pairing_failure', lambda reason: self.log(f'pairing failed, reason 0x{int(reason):02X}'))
        connection.on(
            'connection_encryption_change',
            lambda: self.log(f'encryption {"on" if connection.encryption else "off"}'),
        )

    async def long_term_key(self, handle, rand, ediv):
        """The key of a pairing that goes on, then the one that the request names: bumble 0.0.236 as a peripheral answers a
        legacy bond with the key that the central had distributed."""
        connection = self.device.lookup_connection(handle)
        if connection and (key := self.device.smp_manager.get_long_term_key(connection, rand, ediv)):
            return key
        keys = connection and await self.device.keystore.get(str(connection.peer_address))
        for key in (keys.ltk_central, keys.ltk_peripheral) if keys else ():
            if key and key.rand == rand and key.ediv == ediv:
                return key.value
        return await self.device.get_long_term_key(handle, rand, ediv)

    # The control pipe.

    def listen(self):
        path = self.arguments.control
        if not path:
            return
        if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
            os.unlink(path)
        os.mkfifo(path, 0o600)
        # For reading and writing, so that it never ends.
        pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        pending = b''

        def read():
            nonlocal pending
            pending += os.read(pipe, 4096)
            *lines, pending = pending.split(b'\n')
            for line in lines:
                asyncio.ensure_future(self.change(line.decode()))

        asyncio.get_running_loop().add_reader(pipe, read)

    async def change(self, line):
        name, _, value = line.partition(' ')
        if name == 'io':
            self.io = value if value in IO else self.io
        elif name == 'passkey':
            self.passkey = int(value)
            self.entered.set()
        elif name in ('legacy', 'refuse', 'mismatch', 'silent', 'hold'):
            setattr(self, name, value == 'on')
        elif name == 'reset':
            self.reset()
        elif name == 'forget':
            await self.device.keystore.delete_all()
        elif name == 'disconnect':
            for connection in list(self.device.connections.values()):
                await self.device.host.send_command(
                    HCI_Disconnect_Command(connection_handle=connection.handle, reason=int(value, 0))
                )
        self.log(f'set: {line}')
