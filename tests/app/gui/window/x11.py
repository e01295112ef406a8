# SPDX-License-Identifier: MIT
"""What a desktop does to a window and xdotool cannot: a scale for its letters, a file dropped on it.

Uses X11 through python3-xlib. Pure helpers of the tests; they start nothing.
"""
import pathlib
import sys
import time
import urllib.parse

from window_driver import Skipped

sys.path.append("/usr/lib/python3/dist-packages")  # Debian's packages, for a python3 that is not Debian's
try:
    from Xlib import X, Xatom, display, protocol
except ImportError:
    display = None


def connect(name):
    if display is None:
        raise Skipped("python3-xlib is not on this machine")
    return display.Display(name)


def set_dpi(name, dpi):
    """As desktops do: Xft.dpi in the resources of the root window. Holds for windows that start later."""
    server = connect(name)
    root = server.screen().root
    text = f"Xft.dpi:\t{dpi}\n".encode()
    root.change_property(server.intern_atom("RESOURCE_MANAGER"), Xatom.STRING, 8, text)
    server.sync()
    server.close()


def bind_characters(name, characters):
    """Gives each character a key of its own. xdotool binds one for the moment of the press only, and a window that
    is busy looks too late."""
    server = connect(name)
    first = server.display.info.min_keycode
    keys = server.get_keyboard_mapping(first, server.display.info.max_keycode - first + 1)
    free = [first + i for i, symbols in enumerate(keys) if not any(symbols)]
    for keycode, character in zip(reversed(free), dict.fromkeys(characters)):
        server.change_keyboard_mapping(keycode, [[0x01000000 | ord(character)] * 2])
    server.sync()
    server.close()


def drop_file(name, window_id, path, x, y, patience):
    """Drags a file from nowhere onto a window and lets it go (XDND version 5, text/uri-list)."""
    server = connect(name)
    atom = server.intern_atom
    source = server.screen().root.create_window(0, 0, 1, 1, 0, server.screen().root_depth, X.InputOutput,
                                                X.CopyFromParent, event_mask=X.PropertyChangeMask)
    target = server.create_resource_object("window", window_id)
    uris = ("file://" + urllib.parse.quote(str(pathlib.Path(path).resolve())) + "\r\n").encode()

    def send(kind, data):
        event = protocol.event.ClientMessage(window=target, client_type=atom(kind), data=(32, data))
        target.send_event(event, event_mask=0)
        server.flush()

    source.set_selection_owner(atom("XdndSelection"), X.CurrentTime)
    send("XdndEnter", [source.id, 5 << 24, atom("text/uri-list"), 0, 0])
    send("XdndPosition", [source.id, 0, x << 16 | y, X.CurrentTime, atom("XdndActionCopy")])
    send("XdndDrop", [source.id, 0, X.CurrentTime, 0, 0])
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if not server.pending_events():
            time.sleep(0.02)
            continue
        event = server.next_event()
        if event.type == X.ClientMessage and event.client_type == atom("XdndFinished"):
            server.close()
            return
        if event.type != X.SelectionRequest:
            continue
        event.requestor.change_property(event.property, event.target, 8, uris)
        event.requestor.send_event(protocol.event.SelectionNotify(
            time=event.time, requestor=event.requestor, selection=event.selection, target=event.target,
            property=event.property))
        server.flush()
    server.close()
    raise AssertionError("nobody took what was dropped")


def close_by_the_window_manager(lab):
    """What a window manager sends when its X is pressed."""
    server = connect(lab.environment["DISPLAY"])
    ids = lab.tool("xdotool", "search", "--class", "driverlab").split()
    target = server.create_resource_object("window", int(ids[-1]))
    target.send_event(protocol.event.ClientMessage(
        window=target, client_type=server.intern_atom("WM_PROTOCOLS"),
        data=(32, [server.intern_atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0])), event_mask=0)
    server.sync()
    server.close()
