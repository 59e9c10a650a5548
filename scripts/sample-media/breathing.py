"""Makes content/media/breathing.m4a: a tone to breathe with, 4 s in and 6 s out."""

import subprocess
import sys
from pathlib import Path

import numpy as np

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "content/media/breathing.m4a")
RATE = 32_000
LEAD, BREATHS, IN, OUT_BREATH = 5, 8, 4, 6
SECONDS = LEAD + BREATHS * (IN + OUT_BREATH) + LEAD
LOW, HIGH = 196.0, 293.66  # G3 to D4, a fifth
PEAK = 10 ** (-8 / 20)

t = np.arange(SECONDS * RATE) / RATE
rng = np.random.default_rng(11)


def breath(t):
    """0 when empty, 1 when full. A raised cosine, so that it turns without a corner."""
    phase = (t - LEAD) % (IN + OUT_BREATH)
    swell = np.where(phase < IN, phase / IN, 1 + (phase - IN) / OUT_BREATH)
    inside = (t >= LEAD) & (t < SECONDS - LEAD)
    return np.where(inside, (1 - np.cos(np.pi * swell)) / 2, 0)


def tone(drift):
    """The guide: glides a fifth up and back, brighter when full. Upper partials let a phone play it."""
    full = breath(t)
    phase = 2 * np.pi * np.cumsum(LOW * (HIGH / LOW) ** full) / RATE + drift * np.sin(2 * np.pi * t / 9)
    partials = [(1, 1.0), (2, 0.2 + 0.16 * full), (3, 0.06 + 0.1 * full), (4, 0.04 * full)]
    return (0.14 + 0.86 * full) * sum(level * np.sin(n * phase) for n, level in partials)


def pad(drift):
    """Root and fifth an octave below the guide, steady and quiet."""
    voices = [(98.0, 1.0), (146.83, 0.6), (196.0, 0.15)]
    return sum(level * np.sin(2 * np.pi * hz * t + drift * np.sin(2 * np.pi * t / 14)) for hz, level in voices)


def room(signal):
    """A soft reverberation: the signal in a dark, decaying noise."""
    length = int(2.8 * RATE)
    tail = np.convolve(rng.standard_normal(length), np.hanning(96), "same")
    tail *= np.exp(-np.arange(length) / (0.6 * RATE)) * np.minimum(1, np.arange(length) / (0.03 * RATE))
    size = len(signal) + length
    wet = np.fft.irfft(np.fft.rfft(signal, size) * np.fft.rfft(tail / np.sqrt(np.sum(tail**2)), size), size)
    return wet[: len(signal)]


def side(sign):
    """One ear. The two drift apart in phase a little, which widens the sound without beating."""
    dry = tone(0.5 * sign) + 0.16 * pad(0.7 * sign)
    return dry + 0.07 * room(dry)


fade = np.sin(np.pi / 2 * np.clip(np.minimum(t, SECONDS - t) / (LEAD + 1), 0, 1)) ** 2
stereo = np.stack([side(-1), side(1)], axis=1) * fade[:, None]
stereo *= PEAK / np.abs(stereo).max()

OUT.parent.mkdir(parents=True, exist_ok=True)
# ffmpeg's default AAC coder (twoloop) buries pure tones in noise; "fast" keeps them clean.
command = f"""ffmpeg -v error -y -f f32le -ar {RATE} -ac 2 -i -
    -c:a aac -aac_coder fast -b:a 64k -map_metadata -1 -movflags +faststart"""
subprocess.run([*command.split(), str(OUT)], input=stereo.astype("<f4").tobytes(), check=True)
print(f"{OUT} {OUT.stat().st_size} bytes")
