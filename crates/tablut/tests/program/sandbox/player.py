#!/usr/bin/env python3
import socket, struct, sys
side = sys.argv[1].upper()
moves = {"WHITE": [("e4", "d4"), ("d4", "e4")], "BLACK": [("d1", "c1"), ("c1", "b1")]}[side]
server = socket.create_connection((sys.argv[3], 5800 if side == "WHITE" else 5801))
def send(text):
    server.sendall(struct.pack(">i", len(text)) + text.encode())
def read(count):
    data = b""
    while len(data) < count:
        part = server.recv(count - len(data))
        if not part:
            sys.exit()
        data += part
    return data
send('"python"')
while True:
    state = read(struct.unpack(">i", read(4))[0]).decode()
    if '"turn":"%s"' % side in state:
        start, end = moves.pop(0)
        send('{"from":"%s","to":"%s","turn":"%s"}' % (start, end, side))
