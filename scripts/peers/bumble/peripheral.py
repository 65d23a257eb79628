#!/usr/bin/env python3
"""The independent peer of the virtual-machine tests: bumble's peripheral 'Bumble HR' at F0:F1:F2:F3:F4:F5 (random).

  peripheral.py --hci unix:/tmp/bt-server-le      a controller that somebody else emulates, here btvirt

Prints one line 'READY ...' once it advertises; advertises anew on SIGUSR1, because btvirt reports an advertiser only when
advertising or scanning begins; ends on SIGINT and SIGTERM. What happens on the link goes to standard error.
"""

import argparse
import asyncio
import signal
import sys

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.hci import Address
from bumble.host import Host
from bumble.transport import open_transport

import security
from database import NAME, Database, advertised_service_uuid

ADDRESS = 'F0:F1:F2:F3:F4:F5'
REMOTE_USER_TERMINATED = 0x13


def log(*words):
    print(*words, file=sys.stderr, flush=True)


def configuration(arguments):
    advertisement = AdvertisingData([
        (AdvertisingData.FLAGS, bytes([0x06])),
        (
            AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
            bytes(UUID('180D')) + bytes(UUID('180F')),
        ),
        (AdvertisingData.COMPLETE_LOCAL_NAME, NAME.encode()),
        (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, b'\xff\xff\x01\x02'),
    ])
    scan_response = AdvertisingData([
        (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(advertised_service_uuid())),
    ])
    return DeviceConfiguration(
        name=NAME,
        address=Address(ADDRESS),
        advertising_data=bytes(advertisement),
        scan_response_data=bytes(scan_response),
        advertising_interval_min=100,
        advertising_interval_max=100,
        irk=bytes.fromhex('00112233445566778899aabbccddeeff'),
        le_privacy_enabled=arguments.rpa,
    )


async def start(arguments, source, sink):
    device = Device(config=configuration(arguments), host=Host(source, sink))
    pairing = security.Security(arguments, log)
    pairing.attach(device)
    database = Database(arguments.heart_rate_interval, log=log)

    async def drain(bearer):
        await device.host.le_acl_packet_queue.drain(bearer.handle)

    database.attach(device.gatt_server, drain)
    device.gatt_server.max_mtu = arguments.mtu

    def on_connection(connection):
        log(f'connected {connection.peer_address}')

        def on_disconnection(reason):
            database.stop()
            log(f'disconnected, reason 0x{reason:02X}')

        connection.on('disconnection', on_disconnection)
        pairing.watch(connection)
        connection.on('connection_att_mtu_update', lambda: log(f'ATT MTU {connection.att_mtu}'))

    device.on('connection', on_connection)

    parts_read = 0

    async def vanish():
        """Answers the first part of the long value, and leaves in the middle of the second."""
        nonlocal parts_read
        parts_read += 1
        if parts_read % 2 == 0:
            log('vanishing in the middle of a read')
            for connection in list(device.connections.values()):
                await connection.disconnect(REMOTE_USER_TERMINATED)
            await asyncio.sleep(3600)

    if arguments.vanish:
        database.while_reading_long = vanish
    await device.power_on()
    device.host.long_term_key_provider = pairing.long_term_key
    pairing.listen()
    await device.start_advertising(auto_restart=True)
    return device, database


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--hci', required=True, help="the controller, as one of bumble's transports")
    parser.add_argument('--mtu', type=int, default=517, help='the largest ATT MTU it grants')
    parser.add_argument('--heart-rate-interval', type=float, default=0.1, help='seconds between notifications')
    parser.add_argument('--vanish', action='store_true', help='disconnect in the middle of each long read')
    security.add_arguments(parser)
    arguments = parser.parse_args()

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    transport = await open_transport(arguments.hci)
    device, database = await start(arguments, transport.source, transport.sink)

    async def advertise_anew():
        await device.stop_advertising()
        await device.start_advertising(auto_restart=True)
        log('advertising anew')

    tasks = []
    asyncio.get_running_loop().add_signal_handler(
        signal.SIGUSR1, lambda: tasks.append(asyncio.create_task(advertise_anew()))
    )
    print(
        f'READY {device.random_address} characteristics {database.characteristics()} '
        f'attributes {len(device.gatt_server.attributes)}',
        flush=True,
    )
    await stop.wait()
    await transport.close()


if __name__ == '__main__':
    asyncio.run(main())
