#!/usr/bin/env python3
"""bumble's GATT server on a Unix SOCK_SEQPACKET socket: no HCI and no L2CAP, one ATT PDU a message.

  att_server.py PATH

Prints one line 'READY ...' once it listens; ends on SIGINT and SIGTERM.
"""

import argparse
import asyncio
import os
import signal
import socket
import sys

from bumble import att, gatt_server, utils
from bumble.profiles.gap import GenericAccessService
from bumble.profiles.gatt_service import GenericAttributeProfileService

from database import NAME, Database


class Bearer(utils.EventEmitter):
    """What bumble's GATT server needs of a connection."""

    EVENT_DISCONNECTION = 'disconnection'

    def __init__(self, device, peer, handle):
        super().__init__()
        self.device, self.peer, self.handle = device, peer, handle
        self.att_mtu, self.encryption, self.authenticated = 23, 0, False
        self.queue = asyncio.Queue()
        self.sender = asyncio.create_task(self.send_queued())

    def on_att_mtu_update(self, mtu):
        self.att_mtu = mtu

    def send_l2cap_pdu(self, cid, pdu):
        assert cid == att.ATT_CID
        self.queue.put_nowait(pdu)

    async def send_queued(self):
        while True:
            await asyncio.get_running_loop().sock_sendall(self.peer, await self.queue.get())
            self.queue.task_done()

    async def pdus(self):
        while pdu := await asyncio.get_running_loop().sock_recv(self.peer, 65536):
            yield pdu
        self.sender.cancel()
        self.emit(self.EVENT_DISCONNECTION, 0)


class Device:
    """What bumble's GATT server needs of a device."""

    class l2cap_channel_manager:
        le_coc_channels = {}

    def __init__(self):
        self.bearers = {}
        self.gatt_server = gatt_server.Server(self)

    def send_l2cap_pdu(self, handle, cid, pdu):
        self.bearers[handle].send_l2cap_pdu(cid, pdu)


async def serve(path):
    device = Device()
    server = device.gatt_server
    # The services that a peripheral has by itself, so that both have the same handles.
    server.add_services([GenericAccessService(NAME), GenericAttributeProfileService()])
    database = Database(log=lambda *words: print(*words, file=sys.stderr, flush=True))
    database.attach(server, lambda bearer: bearer.queue.join())
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.path.exists(path):
        os.unlink(path)
    listener.bind(path)
    listener.listen(8)
    listener.setblocking(False)
    print(f'READY {path} characteristics {database.characteristics()}', flush=True)

    async def client(peer, handle):
        bearer = device.bearers[handle] = Bearer(device, peer, handle)
        try:
            async for pdu in bearer.pdus():
                server.on_gatt_pdu(bearer, att.ATT_PDU.from_bytes(pdu))
        except ConnectionError:
            pass  # the client left while something was still under way to it
        database.stop()
        server.on_disconnection(bearer)
        peer.close()

    clients = set()
    while True:
        peer, _ = await asyncio.get_running_loop().sock_accept(listener)
        peer.setblocking(False)
        clients.add(asyncio.create_task(client(peer, len(clients) + 1)))


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('path', help='the socket to listen on')
    serving = asyncio.create_task(serve(parser.parse_args().path))
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        pass


if __name__ == '__main__':
    asyncio.run(main())
