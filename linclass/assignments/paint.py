"""Colour and bars for a terminal; where there is none, nothing but the text."""

import os

WIDTH = 10  # characters of a bar


class Plain:
    """Text as it is."""

    def _same(self, text):
        return text

    strong = good = bad = dim = line = _same

    def bar(self, earned, points):
        """No bar."""
        return ""


class Colours(Plain):
    """Text with the terminal's colours: each says what the words beside it say too."""

    def strong(self, text):
        return f"\033[1m{text}\033[0m" if text else text

    def good(self, text):
        return f"\033[32m{text}\033[0m"

    def bad(self, text):
        return f"\033[31m{text}\033[0m"

    def dim(self, text):
        return f"\033[2m{text}\033[0m"

    def line(self, text):
        """A line about a function: what is wrong stands out, what is context steps back."""
        heading = text[:9].strip()
        shade = {"came": self.bad, "error": self.bad, "expected": self.good, "likely": self.strong}.get(heading)
        return shade(text) if shade else text

    def bar(self, earned, points):
        """Points as a bar."""
        filled = round(WIDTH * earned / points) if points else 0
        return f"{'█' * filled}{'░' * (WIDTH - filled)}  "


PLAIN = Plain()


def for_stream(stream):
    """Colours if the stream is a terminal that has them, and nobody has said NO_COLOR."""
    fit = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Colours() if fit else PLAIN
