#!/usr/bin/env python3
"""bumble's GATT client against a built-in device of btatt, on a Unix SOCK_SEQPACKET socket: one ATT PDU a message.

  att_client.py DEVICE PATH      DEVICE: heart-rate, thermometer or torture, served at PATH

Prints one line a check; exits with 1 when one failed. What it expects is written by hand from the device's file.
"""

import argparse
import asyncio
import socket
import struct
import sys

from bumble import att, core, gatt_client, utils


class Bearer(utils.EventEmitter):
    """What bumble's GATT client needs of a connection."""

    EVENT_DISCONNECTION = 'disconnection'

    def __init__(self, path):
        super().__init__()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.handle, self.att_mtu, self.encryption, self.authenticated = 1, 23, 0, False
        # Every PDU that came, for what the client's interface does not show: the order of a value and a response.
        self.received = []

    def on_att_mtu_update(self, mtu):
        self.att_mtu = mtu

    def send_l2cap_pdu(self, cid, pdu):
        assert cid == att.ATT_CID
        self.socket.send(pdu)

    async def pdus(self):
        while pdu := await asyncio.get_running_loop().sock_recv(self.socket, 65536):
            self.received.append(pdu)
            yield pdu
        self.emit(self.EVENT_DISCONNECTION, 0)


class Session:
    def __init__(self, path):
        self.bearer = Bearer(path)
        self.client = gatt_client.Client(self.bearer)
        self.receiver = asyncio.create_task(self.receive())

    async def receive(self):
        async for pdu in self.bearer.pdus():
            self.client.on_gatt_pdu(att.ATT_PDU.from_bytes(pdu))

    async def discover(self):
        """Everything but includes: (first, last, UUID, [(handle, properties, UUID, [descriptor UUID])]) a service."""
        tree = []
        for service in await self.client.discover_services():
            characteristics = []
            for characteristic in await service.discover_characteristics():
                descriptors = await characteristic.discover_descriptors()
                characteristics.append((
                    characteristic.handle, int(characteristic.properties), short(characteristic.uuid),
                    [short(descriptor.type) for descriptor in descriptors]))
            tree.append((service.handle, service.end_group_handle, short(service.uuid), characteristics))
        return tree

    def close(self):
        self.receiver.cancel()
        self.bearer.socket.close()


def short(uuid):
    """16-bit UUIDs as they are; of the project's own test UUIDs their number, b7a7NNNN-…"""
    text = uuid.to_hex_str('-').lower()
    return text if len(text) == 4 else text[4:8] + '*' if text.startswith('b7a7') else text


failed = False


def check(what, got, expected):
    global failed
    if got == expected:
        print(f'ok    {what}')
    else:
        failed = True
        print(f'FAIL  {what}\n      got      {got!r}\n      expected {expected!r}')


async def error_of(awaitable):
    """The ATT error a request ends with; 0 when it succeeds."""
    try:
        await awaitable
        return 0
    except att.ATT_Error as error:
        return error.error_code


async def values_of(session, handle, count, prefer_notify=True):
    """Subscribes to the characteristic at a value handle; its next values."""
    characteristic = next(
        c for s in session.client.services for c in s.characteristics if c.handle == handle)
    values = asyncio.Queue()
    await characteristic.subscribe(values.put_nowait, prefer_notify)
    return [await asyncio.wait_for(values.get(), 10) for _ in range(count)]


async def heart_rate(path):
    session = Session(path)
    check('MTU', await session.client.request_mtu(517), 517)
    check('discovery', await session.discover(), [
        (1, 5, '1800', [(3, 0x02, '2a00', []), (5, 0x02, '2a01', [])]),
        (6, 9, '1801', [(8, 0x20, '2a05', ['2902'])]),
        (10, 17, '180d', [(12, 0x10, '2a37', ['2902']), (15, 0x02, '2a38', []), (17, 0x08, '2a39', [])]),
        (18, 22, '180f', [(20, 0x12, '2a19', ['2902', '2904'])]),
        (23, 33, '180a', [
            (25, 0x02, '2a29', []), (27, 0x02, '2a24', []), (29, 0x02, '2a25', []), (31, 0x02, '2a26', []),
            (33, 0x02, '2a23', [])]),
    ])
    check('read', await session.client.read_value(25), b'btatt')
    check('read by UUID', await session.client.read_characteristics_by_uuid(core.UUID('2a38'), None), [b'\x01'])
    check('control point', await error_of(session.client.write_value(17, b'\x01', True)), 0)
    check('control point refuses', await error_of(session.client.write_value(17, b'\x02', True)), 0x80)
    values = await values_of(session, 12, 3)
    check('pulse: flags and length', [(v[0], len(v)) for v in values], [(0x16, 4)] * 3)
    check('pulse moves', [(v[1] - values[0][1]) % 40 for v in values], [0, 1, 2])
    session.close()


async def thermometer(path):
    session = Session(path)
    check('MTU', await session.client.request_mtu(185), 185)
    await session.discover()
    temperature = next(c for s in session.client.services for c in s.characteristics if short(c.uuid) == '2a1c')
    values = await values_of(session, temperature.handle, 2)
    check('temperature', [(v[0], v[4], v[5]) for v in values], [(0x04, 0xFF, 3)] * 2)
    tenths = [struct.unpack('<I', v[1:4] + b'\0')[0] for v in values]
    check('temperature moves', [(t - tenths[0]) % 15 for t in tenths], [0, 1])
    session.close()


async def torture(path):
    session = Session(path)
    client = session.client
    pattern = bytes(i & 0xFF for i in range(512))

    # Everything at the smallest MTU first.
    tree = await session.discover()
    check('services', [(first, last, uuid) for first, last, uuid, _ in tree], [
        (0x0001, 0x0005, '1800'), (0x0006, 0x000D, '1801'), (0x0020, 0x0025, '180f'), (0x0026, 0x002B, '180f'),
        (0x0040, 0x0051, '0001*'), (0x0078, 0x0078, '1815'), (0x0080, 0x008C, '0004*'), (0x00A0, 0x00AB, '0005*'),
        (0x00C0, 0x00CE, '0006*'), (0x00E0, 0x00F3, '0007*'), (0xFFF8, 0xFFFF, '0008*')])
    by_first = {first: characteristics for first, _, _, characteristics in tree}
    check('duplicates', [by_first[0x20], by_first[0x26]], [
        [(0x22, 0x12, '2a19', ['2902']), (0x25, 0x02, '2a19', [])],
        [(0x28, 0x02, '2a19', []), (0x2A, 0x12, '2a19', ['2902'])]])
    check('mixed sizes', by_first[0xA0], [
        (0xA2, 0x16, '2a56', ['0056*', '2901', '2902']), (0xA7, 0x02, '0050*', []), (0xA9, 0x02, '2a58', []),
        (0xAB, 0x02, '0051*', [])])
    check('the last handle', by_first[0xFFF8], [(0xFFFE, 0x12, '0080*', ['2902'])])
    check('read by UUID', await client.read_characteristics_by_uuid(core.UUID('2a19'), None),
          [b'\x0a', b'\x14', b'\x1e', b'\x28'])
    check('MTU - 1 octets at 23', await client.read_value(0x82), pattern[:22])
    check('whatever MTU, at 23', await client.read_value(0x84), pattern[:22])
    check('512 octets at 23', await client.read_value(0x86), pattern)
    check('no octets', await client.read_value(0x88), b'')
    check('long write at 23', await error_of(client.write_value(0x86, pattern[::-1], True)), 0)
    check('long write arrived', await client.read_value(0x86), pattern[::-1])
    # 29 parts, and the queue has room for 40: what is wrong shows when they are executed.
    check('too long a write', await error_of(client.write_value(0x86, bytes(513), True)),
          att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR)
    check('too many parts', await error_of(client.write_value(0x86, bytes(41 * 18), True)),
          att.ATT_PREPARE_QUEUE_FULL_ERROR)

    check('MTU', await client.request_mtu(517), 517)
    check('whatever MTU, at 517', await client.read_value(0x84), pattern)
    check('write back at 517', await error_of(client.write_value(0x86, pattern, True)), 0)
    check('512 octets at 517', await client.read_value(0x86), pattern)

    includes = await client.send_request(att.ATT_Read_By_Type_Request(
        starting_handle=0x42, ending_handle=0x51, attribute_type=core.UUID('2802')))
    check('includes of 128-bit services', includes.attributes,
          [(0x42, bytes.fromhex('60006300')), (0x48, bytes.fromhex('70007100'))])

    check('application error on reading', await error_of(client.read_value(0xC2)), 0x81)
    check('application error on writing', await error_of(client.write_value(0xC4, b'\x02', True)), 0x9F)
    check('no error on writing', await error_of(client.write_value(0xC4, b'\x01', True)), 0)
    check('encryption', await error_of(client.read_value(0xC6)), att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR)
    check('authorization', await error_of(client.read_value(0xCA)), att.ATT_INSUFFICIENT_AUTHORIZATION_ERROR)
    check('never readable', await error_of(client.read_value(0xCC)), att.ATT_READ_NOT_PERMITTED_ERROR)

    # After the response to the request that looks for the configuration.
    session.bearer.received.clear()
    check('early value', await values_of(session, 0xE2, 1), [b'early'])
    check('early value before the response', session.bearer.received[1:3], [b'\x1b\xe2\x00early', b'\x13'])
    numbers = [struct.unpack('<I', v)[0] for v in await values_of(session, 0xE5, 3, prefer_notify=False)]
    check('indications', numbers, list(range(numbers[0], numbers[0] + 3)))
    echoed = asyncio.Queue()
    echo = next(c for s in client.services for c in s.characteristics if c.handle == 0xE8)
    await echo.subscribe(echoed.put_nowait)
    await client.write_value(0xE8, b'to and fro')
    check('echo', await asyncio.wait_for(echoed.get(), 10), b'to and fro')
    lengths = [len(v) for v in await values_of(session, 0xF0, 4)]
    check('values of all lengths', sorted(lengths), [0, 1, 20, 512])
    check('slow read', await client.read_value(0xF3), b'slow')
    session.close()


async def main():
    devices = {'heart-rate': heart_rate, 'thermometer': thermometer, 'torture': torture}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('device', choices=devices)
    parser.add_argument('path')
    arguments = parser.parse_args()
    await asyncio.wait_for(devices[arguments.device](arguments.path), 60)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(asyncio.run(main()))
