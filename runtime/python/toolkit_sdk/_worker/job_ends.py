"""Ends of jobs on their way to the agent. A thread sends them: what has ended meanwhile goes in one write."""

from __future__ import annotations

import os
import queue
import threading

from .frames import Frame, FrameLink


class JobEnds:
    """See the module. A function that blocks its thread or event loop does not hold back what has ended before."""

    def __init__(self, link: FrameLink) -> None:
        self._link = link
        self._waiting: queue.SimpleQueue[Frame | threading.Event] = queue.SimpleQueue()
        threading.Thread(target=self._send_all, daemon=True, name="job-ends").start()

    def add(self, frame: Frame) -> None:
        """Sends a frame soon."""
        self._waiting.put(frame)

    def flush(self) -> None:
        """Waits until all is sent; where that is impossible the process ends."""
        is_sent = threading.Event()
        self._waiting.put(is_sent)
        is_sent.wait()

    def _send_all(self) -> None:
        try:
            while True:
                waiting = [self._waiting.get()]
                while not self._waiting.empty():
                    waiting.append(self._waiting.get())
                frames = [each for each in waiting if isinstance(each, Frame)]
                if frames:  # Even nothing cannot be sent once the link has ended.
                    self._link.send_all(frames)
                for each in waiting:
                    if isinstance(each, threading.Event):
                        each.set()
        except BaseException:
            # The function closed the link, say. Nobody can be answered, but the end of this process is heard.
            os._exit(1)
