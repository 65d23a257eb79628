"""The GATT database of the test peripheral 'Bumble HR': heart rate, battery, device information, and services of the
project's own with long values, errors, indications, encrypted characteristics and many fillers.

With bumble's own GAP and GATT services, a peripheral has 64 characteristics in 200 attributes.
"""

import asyncio
import struct

from bumble.att import ATT_Error, ATT_Write_Command
from bumble.core import UUID
from bumble.crypto import aes_cmac
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service

P = Characteristic.Properties
READ, WRITE = Characteristic.READABLE, Characteristic.WRITEABLE
ENCRYPTED_READ = READ | Characteristic.READ_REQUIRES_ENCRYPTION
ENCRYPTED_WRITE = WRITE | Characteristic.WRITE_REQUIRES_ENCRYPTION

NAME = 'Bumble HR'
# The Connection Signature Resolving Key of every client, least significant octet first.
SIGNING_KEY = bytes.fromhex('3c4fcf098815f7aba6d2ae2816157e2b')
CUSTOM, SECONDARY, BENCH, FILL = 0x0001, 0x0002, 0x0100, 0x1000
FILL_SERVICES, FILL_CHARACTERISTICS = 4, 9


def custom_uuid(number: int) -> str:
    """The tests' 128-bit UUIDs: b7a7nnnn-1d00-4c1e-9f00-00a77a77a77a."""
    return f'b7a7{number:04x}-1d00-4c1e-9f00-00a77a77a77a'


def computed(read=None, write=None):
    """A characteristic's value that functions of this file read and write."""
    return CharacteristicValue(
        read=read and (lambda connection: read()), write=write and (lambda connection, value: write(value))
    )


class Database:
    """The services, the values behind them, and the notifications that subscriptions start."""

    def __init__(self, heart_rate_interval=0.1, log=print):
        self.log = log
        self.heart_rate_interval = heart_rate_interval
        self.server = None  # bumble's gatt_server.Server, from attach()
        self.drain = None  # async function(bearer): waits until the queued packets left
        self.while_reading_long = None  # async function(read so far), called before each part of the 512-octet value
        self.tasks = {}
        self.heart_rates = 0
        self.echo = b'initial'
        self.sign_counter = -1  # of the last signed write that was accepted
        self.commands = [0, 0]  # packets and octets of Write Commands
        self.sink = [0, 0]  # the same of the bench service
        self.long_512 = bytes(index & 0xFF for index in range(512))
        self.long_600 = bytes(index & 0xFF for index in range(600))
        self.battery = 87
        self.indications = 0
        self.services = self.make_services()
        self.heart_rate.on('subscription', self.on_heart_rate_subscription)
        self.battery_level.on('subscription', self.on_battery_subscription)
        self.indicated.on('subscription', self.on_indication_subscription)

    def make_services(self):
        self.heart_rate = Characteristic('2A37', P.NOTIFY, READ, bytes([0, 60]))
        heart = Service(
            '180D',
            [
                self.heart_rate,
                Characteristic('2A38', P.READ, READ, bytes([1])),  # chest
                Characteristic('2A39', P.WRITE, WRITE, computed(write=self.on_heart_rate_control)),
            ],
        )
        self.battery_level = Characteristic(
            '2A19', P.READ | P.NOTIFY, READ, computed(read=lambda: bytes([self.battery]))
        )
        battery = Service('180F', [self.battery_level])
        information = Service(
            '180A',
            [
                Characteristic('2A29', P.READ, READ, b'Bumble Labs'),
                Characteristic('2A24', P.READ, READ, b'HR-1'),
                Characteristic('2A25', P.READ, READ, b'0001'),
                Characteristic('2A26', P.READ, READ, b'1.0'),
                Characteristic('2A23', P.READ, READ, bytes.fromhex('0102030405060708')),
            ],
        )
        secondary = Service(
            custom_uuid(SECONDARY),
            [Characteristic(custom_uuid(0x20), P.READ, READ, b'secondary')],
            primary=False,
        )
        return [heart, battery, information, secondary, self.make_custom(battery), self.make_bench(), *make_fillers()]

    def make_custom(self, battery):
        def characteristic(number, properties, permissions, value, descriptors=()):
            return Characteristic(custom_uuid(number), properties, permissions, value, list(descriptors))

        self.indicated = characteristic(0x14, P.INDICATE, READ, b'')
        both, permissions = P.READ | P.WRITE, READ | WRITE
        return Service(
            custom_uuid(CUSTOM),
            [
                characteristic(
                    0x10,
                    both,
                    permissions,
                    computed(lambda: self.echo, self.on_echo),
                    [
                        Descriptor('2901', READ, b'Echo value'),
                        Descriptor('2904', READ, struct.pack('<BbHBH', 0x19, 0, 0x2700, 1, 0)),
                    ],
                ),
                characteristic(
                    0x11,
                    P.WRITE_WITHOUT_RESPONSE | P.AUTHENTICATED_SIGNED_WRITES,
                    WRITE,
                    computed(write=self.on_command),
                ),
                characteristic(
                    0x12, both, permissions, CharacteristicValue(read=self.on_read_long, write=self.on_write_long)
                ),
                # Over the specification's limit of 512 octets.
                characteristic(0x13, both, permissions, computed(lambda: self.long_600, self.on_write_600)),
                self.indicated,
                characteristic(0x15, P.READ, ENCRYPTED_READ, b'secret'),
                characteristic(0x16, P.WRITE, ENCRYPTED_WRITE, computed(write=lambda value: None)),
                characteristic(0x17, P.READ, READ, computed(read=self.on_application_error)),
                characteristic(
                    0x18, P.READ, READ, computed(lambda: struct.pack('<III', *self.commands, self.indications))
                ),
            ],
            included_services=[battery],
        )

    def make_bench(self):
        self.flood = Characteristic(custom_uuid(0x102), P.NOTIFY, READ, b'')
        return Service(
            custom_uuid(BENCH),
            [
                Characteristic(
                    custom_uuid(0x101), P.WRITE, WRITE, CharacteristicValue(write=self.on_flood)
                ),
                self.flood,
                Characteristic(
                    custom_uuid(0x103), P.WRITE_WITHOUT_RESPONSE | P.WRITE, WRITE, computed(write=self.on_sink)
                ),
                Characteristic(
                    custom_uuid(0x104),
                    P.READ | P.WRITE,
                    READ | WRITE,
                    computed(lambda: struct.pack('<IQ', *self.sink), self.on_sink_reset),
                ),
            ],
        )

    def attach(self, server, drain):
        self.server, self.drain = server, drain
        server.add_services(self.services)
        server.on_att_signed_write_command = self.on_signed_write

    def characteristics(self):
        return sum(len(service.characteristics) for service in self.server.services)

    # Notifications and indications: one task for each characteristic that is subscribed to.

    def run(self, key, coroutine):
        if old := self.tasks.pop(key, None):
            old.cancel()
        if coroutine:
            self.tasks[key] = asyncio.create_task(coroutine)

    def stop(self):
        for key in list(self.tasks):
            self.run(key, None)

    def on_heart_rate_subscription(self, bearer, notify, _indicate):
        self.log(f'heart rate notifications {"on" if notify else "off"}')

        async def notifications():
            loop = asyncio.get_running_loop()
            due = loop.time()
            while True:
                self.heart_rates += 1
                value = struct.pack('<BBHH', 0x10, 60 + self.heart_rates % 40, 1000, self.heart_rates & 0xFFFF)
                await self.server.notify_subscriber(bearer, self.heart_rate, value)
                due += self.heart_rate_interval
                await asyncio.sleep(max(0, due - loop.time()))

        self.run('heart rate', notifications() if notify else None)

    def on_battery_subscription(self, bearer, notify, _indicate):
        async def notifications():
            while True:
                self.battery = self.battery - 1 if self.battery else 100
                await self.server.notify_subscriber(bearer, self.battery_level)
                await asyncio.sleep(1)

        self.run('battery', notifications() if notify else None)

    def on_indication_subscription(self, bearer, _notify, indicate):
        self.log(f'indications {"on" if indicate else "off"}')

        async def indications():
            while True:
                await self.server.indicate_subscriber(bearer, self.indicated, struct.pack('<I', self.indications))
                self.indications += 1  # counted once it is confirmed
                self.log(f'indication {self.indications} confirmed')
                await asyncio.sleep(0.2)

        self.run('indications', indications() if indicate else None)

    # Reads and writes.

    def on_heart_rate_control(self, value):
        if value != b'\x01':
            raise ATT_Error(0x80)  # Control Point Not Supported

    def on_echo(self, value):
        self.echo = bytes(value)

    def on_command(self, value):
        self.commands[0] += 1
        self.commands[1] += len(value)

    def on_signed_write(self, bearer, request):
        """bumble parses these and leaves them alone. The signature is that of the Core Specification, Vol 3, Part H, 2.4.5, by
        bumble's own AES-CMAC."""
        value, signature = request.attribute_value[:-12], request.attribute_value[-12:]
        counter = int.from_bytes(signature[:4], 'little')
        message = struct.pack('<BH', request.op_code, request.attribute_handle) + value + signature[:4]
        if bearer.encryption:
            verdict = 'on an encrypted link'
        elif aes_cmac(message[::-1], SIGNING_KEY[::-1])[:8][::-1] != signature[4:]:
            verdict = 'wrong'
        elif counter <= self.sign_counter:
            verdict = 'used before'
        else:
            verdict, self.sign_counter = 'right', counter
            command = ATT_Write_Command(attribute_handle=request.attribute_handle, attribute_value=value)
            self.run('signed write', self.server.on_att_write_command(bearer, command))
        self.log(f'signed write to 0x{request.attribute_handle:04x}, counter {counter}: {verdict}')

    async def on_read_long(self, _connection):
        if self.while_reading_long:
            await self.while_reading_long()
        return self.long_512

    def on_write_long(self, _connection, value):
        self.long_512 = bytes(value)

    def on_write_600(self, value):
        self.long_600 = bytes(value)

    def on_application_error(self):
        raise ATT_Error(0x81)

    def on_sink(self, value):
        self.sink[0] += 1
        self.sink[1] += len(value)

    def on_sink_reset(self, _value):
        self.sink = [0, 0]

    def on_flood(self, connection, value):
        """<u32 count><u16 size>: that many notifications as fast as they go; the first four octets count them."""
        count, size = struct.unpack_from('<IH', value)
        subscribers = self.server.subscribers.items()
        bearer = next((bearer for bearer, cccds in subscribers if self.flood.handle in cccds), connection)

        async def notifications():
            padding = bytes(max(0, size - 4))
            for index in range(count):
                await self.server.notify_subscriber(bearer, self.flood, struct.pack('<I', index) + padding)
                if index % 16 == 15:
                    await self.drain(bearer)

        self.run('flood', notifications() if count else None)


def make_fillers():
    services = []
    for index in range(FILL_SERVICES):
        characteristics = []
        for position in range(FILL_CHARACTERISTICS):
            number = FILL + 0x100 * index + position + 1
            characteristics.append(
                Characteristic(
                    custom_uuid(number),
                    P.READ | (P.NOTIFY if position % 2 else P(0)),
                    READ,
                    number.to_bytes(2, 'little'),
                    [Descriptor('2901', READ, f'Filler {index}.{position}'.encode())],
                )
            )
        services.append(Service(custom_uuid(FILL + 0x100 * index), characteristics))
    return services


def advertised_service_uuid() -> UUID:
    return UUID(custom_uuid(CUSTOM))
