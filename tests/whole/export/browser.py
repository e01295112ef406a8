# SPDX-License-Identifier: MIT
"""A headless Chromium, steered over the pipe of its DevTools protocol: no network, no further packages.

Browser() starts one and open(path) loads a file; evaluate(), press() and problems() are what tests need of it.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds, for a loaded machine


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        to_it, write = os.pipe()
        read, from_it = os.pipe()
        os.set_inheritable(to_it, True)
        os.set_inheritable(from_it, True)

        def put_in_place():  # the browser reads its commands from descriptor 3 and replies on 4
            first, second = os.dup(to_it), os.dup(from_it)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            close_fds=False, preexec_fn=put_in_place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        os.close(to_it)
        os.close(from_it)
        self.orders, self.answers = write, read
        os.set_blocking(read, False)
        self.pending, self.events, self.number, self.session = b"", [], 0, None
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.orders)
        os.close(self.answers)
        for _ in range(50):  # its children release the profile a moment later
            try:
                self.folder.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    def message(self, until):
        while b"\0" not in self.pending:
            try:
                piece = os.read(self.answers, 1 << 16)
                if not piece:
                    raise EOFError("the browser has ended")
                self.pending += piece
            except BlockingIOError:
                if time.monotonic() > until:
                    raise TimeoutError("the browser does not answer") from None
                time.sleep(0.01)
        line, _, self.pending = self.pending.partition(b"\0")
        return json.loads(line)

    def ask(self, method, **parameters):
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            order["sessionId"] = self.session
        os.write(self.orders, json.dumps(order).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            message = self.message(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def open(self, path, width=1400, height=900):
        self.events.clear()
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        until = time.monotonic() + PATIENCE
        while self.evaluate("document.readyState + location.protocol") != "completefile:":
            if time.monotonic() > until:
                raise TimeoutError(f"{path} does not load")
            time.sleep(0.05)

    def evaluate(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        text = key if len(key) == 1 else ""
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self, path):
        import base64
        pathlib.Path(path).write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def problems(self):
        """What the page did wrong: exceptions, refused scripts, requests for anything but itself."""
        self.evaluate("0")
        found = []
        for event in self.events:
            if event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
                found.append(json.dumps(event["params"])[:500])
            if event["method"] == "Network.requestWillBeSent" and not event["params"]["request"]["url"].startswith("file:"):
                found.append("asked for " + event["params"]["request"]["url"])
        return found
