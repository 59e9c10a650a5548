"""Makes content/media/horizon.mp4: hills, water and one dot that breathes, 4 s in and 6 s out. Loops."""

import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "content/media/horizon.mp4")
W, H, FPS, SECONDS, IN, OUT_BREATH = 1280, 720, 24, 60, 4, 6
FINE = 3  # still shapes are drawn this much larger, then reduced
SHORE, DOT_X, DOT_Y = 436, 788, 330
COLUMNS = np.arange(W + 1.0)
rng = np.random.default_rng(11)


def colour(code):
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)], float)


def mix(a, b, share):
    return a + (b - a) * share


PAPER, DEEP, NIGHT, DOT = colour("#FBF8F3"), colour("#17324D"), colour("#0D1319"), colour("#7FB2EA")
MIST, BANK = mix(PAPER, DOT, 0.6), mix(NIGHT, DEEP, 0.22)


def wobble(x, step, size):
    """Smooth random unevenness, as of a hand."""
    knots = np.arange(x.min() - 2 * step, x.max() + 3 * step, step)
    values = rng.uniform(-size, size, len(knots))
    place = (x - knots[0]) / step
    i, part = place.astype(int), place % 1
    return mix(values[i], values[i + 1], (1 - np.cos(np.pi * part)) / 2)


def ridge(bumps):
    """Height above the shore for each column; a bump is (middle, width, height)."""
    height = sum(h * np.exp(-(((COLUMNS - middle) / width) ** 2)) for middle, width, h in bumps)
    rough = wobble(COLUMNS, 90, 0.06) + wobble(COLUMNS, 26, 0.035) + wobble(COLUMNS, 7, 0.008)
    return height * (1 + rough) - 3


def shape(points, soften=0):
    """How much of each pixel a polygon covers."""
    mask = Image.new("L", (W * FINE, H * FINE))
    ImageDraw.Draw(mask).polygon([(x * FINE, y * FINE) for x, y in points], fill=255)
    if soften:
        mask = mask.filter(ImageFilter.GaussianBlur(soften * FINE))
    return np.asarray(mask.resize((W, H), Image.Resampling.BOX), float)[..., None] / 255


def stroke(image, x0, x1, y, thick, tint, alpha):
    """A pen line from x0 to x1 with tapered ends; y gives its height for an array of columns."""
    left, right = max(0, int(x0)), min(W, int(x1) + 1)
    if right - left < 2:
        return
    x = np.arange(left, right)
    y = y(x)
    along = np.clip((x - x0) / (x1 - x0), 0, 1)
    half = thick / 2 * np.sin(np.pi * along) ** 0.5
    top, bottom = max(0, int(y.min() - thick - 1)), min(H, int(y.max() + thick + 2))
    if bottom <= top:
        return
    rows = np.arange(top, bottom)[:, None]
    cover = np.clip(half + 0.5 - abs(rows - y), 0, 1) * np.minimum(1, 2 * half) * alpha
    part = image[top:bottom, left:right]
    part += (tint - part) * cover[..., None]


def disc(image, x, y, radius, tint, alpha=1):
    left, top, reach = int(x), int(y), int(radius) + 2
    rows, columns = slice(max(0, top - reach), top + reach + 1), slice(max(0, left - reach), left + reach + 1)
    part = image[rows, columns]
    down, across = np.mgrid[: part.shape[0], : part.shape[1]]
    away = np.hypot(across + columns.start - x, down + rows.start - y)
    part += (tint - part) * (np.clip(radius + 0.5 - away, 0, 1) * alpha)[..., None]


def scene():
    """Everything that stands still."""
    y = np.arange(H)[:, None, None]
    high = np.clip(y / SHORE, 0, 1)
    sky = mix(mix(NIGHT, DEEP, 0.35), DEEP, np.clip(high * 1.5, 0, 1)) + (mix(DEEP, MIST, 0.3) - DEEP) * high**4
    low = np.clip((y - SHORE) / (H - SHORE), 0, 1)
    water = mix(mix(DEEP, MIST, 0.16), mix(NIGHT, DEEP, 0.5), low**0.6)
    image = np.where(y < SHORE, sky, water) * np.ones((1, W, 1))

    for _ in range(110):
        x, up = rng.uniform(0, W), rng.uniform(10, SHORE - 100)
        if np.hypot(x - DOT_X, up - DOT_Y) > 80:
            disc(image, x, up, rng.choice([0.7, 0.9, 1.3], p=[0.55, 0.35, 0.1]), PAPER, rng.uniform(0.15, 0.75))

    layers = [
        (mix(DEEP, MIST, 0.2), [(60, 170, 60), (352, 150, 92), (560, 90, 22), (1180, 210, 104), (975, 90, 30)]),
        (mix(DEEP, MIST, 0.07), [(-20, 190, 140), (232, 100, 40), (1290, 130, 128), (1095, 100, 44)]),
        (mix(DEEP, NIGHT, 0.35), [(40, 150, 70), (1300, 150, 66), (1140, 60, 14)]),
    ]
    for fill, bumps in layers:
        height = ridge(bumps)
        top = SHORE - np.maximum(height, -1)
        mirrored = SHORE + np.maximum(height, 0) * 0.62 + wobble(COLUMNS, 9, 2.4) * np.clip(height / 20, 0, 1)
        mirror = shape([(0, SHORE), *zip(COLUMNS, mirrored), (W, SHORE)], 1.6)
        fade = 0.62 * (1 - np.clip((y - SHORE) / 130, 0, 1))
        image += (mix(fill, DEEP, 0.35) - image) * mirror * fade
        hill = shape([(0, SHORE), *zip(COLUMNS, top), (W, SHORE)])
        image += (fill - image) * hill
        pen_hill(image, height, fill)
    shake = wobble(COLUMNS, 60, 0.6)
    stroke(image, -200, W + 200, lambda c: SHORE + shake[c], 1.5, PAPER, 0.42)
    return image


def pen_hill(image, height, fill):
    """The ridge line, then broken lines that follow it down the slope."""
    ink = mix(fill, PAPER, 0.62)
    for depth in np.arange(0, 1, 0.1):
        on_ridge = depth == 0
        x = rng.uniform(-30, 10)
        while x < W:
            length = rng.uniform(60, 220) if on_ridge else rng.uniform(18, 90)
            line = SHORE - height * (1 - depth) + wobble(COLUMNS, 31, 0.7)
            here = height[int(np.clip(x + length / 2, 0, W))]
            if here > 5 and (on_ridge or here * depth > 3):
                thick, alpha = (1.7, 0.6) if on_ridge else (1.1, 0.3 * (1 - depth))
                stroke(image, x, x + length, lambda c, line=line: line[c], thick, ink, alpha)
            x += length + (rng.uniform(0, 14) if on_ridge else rng.uniform(20, 150))


def bank():
    """How much the near bank and its reeds cover."""
    bare = np.ones((H, W, 1))
    for bumps, clumps in (
        ([(-20, 330, 104), (330, 160, 20)], [(74, 20, 9), (206, 26, 8), (356, 10, 3)]),
        ([(1330, 210, 74)], [(1212, 16, 6)]),
    ):
        height = ridge(bumps)
        bare *= 1 - shape([(0, H + 5), *zip(COLUMNS, H - height), (W, H + 5)])
        for middle, spread, count in clumps:
            for root in rng.normal(middle, spread, count):
                tall, lean, base = rng.uniform(34, 104), rng.normal(9, 13), H - height[int(root)] + 6
                edge = [(root + lean * s**2.2, base - tall * s, 1.7 * (1 - s)) for s in np.linspace(0, 1, 14)]
                bare *= 1 - shape([(x - w, y) for x, y, w in edge] + [(x + w, y) for x, y, w in edge[::-1]])
    return 1 - bare


def water_lines():
    """Finer and closer towards the horizon; `turns` is swings a minute, whole so that the minute loops."""
    for depth in np.sort(rng.uniform(0, 1, 150)) ** 1.7:
        yield SimpleNamespace(
            x=rng.uniform(-60, W),
            y=SHORE + 7 + depth * (H - SHORE - 16),
            length=rng.uniform(30, 90) + 150 * depth * rng.uniform(0.4, 1),
            thick=0.9 + 0.9 * depth,
            alpha=rng.uniform(0.08, 0.24),
            swing=2 + 9 * depth,
            turns=rng.integers(3, 7),
            start=rng.uniform(0, 2 * np.pi),
        )


def glints():
    """The dot's reflection, broken up by the water."""
    y = SHORE + 9.0
    while y < SHORE + 205:
        near = (y - SHORE) / 205
        yield SimpleNamespace(
            x=DOT_X + rng.normal(0, 3 + 9 * near),
            y=y,
            width=rng.uniform(0.55, 1) * (30 + 22 * near),
            thick=2.0 + 2.2 * near,
            alpha=0.85 * (1 - near) ** 1.1,
            turns=rng.integers(6, 13),
            start=rng.uniform(0, 2 * np.pi),
        )
        y += 6 + 9 * near


def frame(still, lines, path, near, grain, second):
    image = still.copy()
    phase = second % (IN + OUT_BREATH)
    full = (1 - np.cos(np.pi * (phase / IN if phase < IN else 1 + (phase - IN) / OUT_BREATH))) / 2

    for s in lines:
        angle = 2 * np.pi * s.turns * second / SECONDS + s.start
        x, alpha = s.x + s.swing * np.sin(angle), s.alpha * (0.8 + 0.2 * np.cos(angle))
        stroke(image, x, x + s.length, lambda c: s.y + 0.9 * np.sin(c / 23 + s.start), s.thick, PAPER, alpha)
    for s in path:
        angle = 2 * np.pi * s.turns * second / SECONDS + s.start
        x, alpha = s.x + 2.5 * np.sin(angle), s.alpha * (0.55 + 0.45 * full)
        half = s.width / 2 * (0.45 + 0.55 * full) * (1 + 0.12 * np.cos(angle))
        stroke(image, x - half, x + half, lambda c: s.y + 0.7 * np.sin(c / 9 + s.start), s.thick, DOT, alpha)

    disc(image, DOT_X, DOT_Y, 11 + 10 * full, DOT)
    image += (BANK - image) * near
    return np.clip(image + grain + 0.5, 0, 255).astype(np.uint8)


def blotches(size):
    small = Image.fromarray(rng.normal(0, 1, (H // size, W // (2 * size))).astype("f4"))
    return np.asarray(small.resize((W, H), Image.Resampling.BICUBIC))[..., None]


def texture():
    """Paper: a slow wash and a fine still grain, in colour too, which keeps the gradients from banding."""
    coloured = rng.normal(0, 1.6, (H // 2, W // 2, 3)).repeat(2, 0).repeat(2, 1)
    return rng.normal(0, 1.5, (H, W, 1)) + coloured + 0.9 * (blotches(12) + blotches(40))


def sound():
    """Far water, hardly there: dark noise that swells with the dot."""
    rate = 32_000
    t = np.arange(SECONDS * rate) / rate
    spectrum = np.fft.rfft(rng.standard_normal(len(t)))
    hz = np.fft.rfftfreq(len(t), 1 / rate)
    noise = np.fft.irfft(spectrum * np.minimum(1, hz / 120) / (1 + (hz / 260) ** 2))
    swell = 0.65 - 0.35 * np.cos(2 * np.pi * (t - 1) / (IN + OUT_BREATH))
    fade = np.clip(np.minimum(t, SECONDS - t) / 3, 0, 1)
    return (noise / noise.std() * swell * fade * 10 ** (-42 / 20)).astype("<f4"), rate


def main():
    picture = scene(), list(water_lines()), list(glints()), bank(), texture()
    if OUT.suffix == ".png":
        Image.fromarray(frame(*picture, float(sys.argv[2]))).save(OUT)
        return
    noise, rate = sound()
    OUT.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".f32") as audio:
        noise.tofile(audio.name)
        # One key frame: a second one would make the grain jump.
        command = f"""ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -s {W}x{H} -r {FPS} -i -
            -f f32le -ar {rate} -ac 1 -i {audio.name} -vf scale=out_color_matrix=bt709:out_range=tv
            -colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:v libx264 -profile:v high -pix_fmt yuv420p
            -preset veryslow -crf 23 -g {FPS * SECONDS} -aq-mode 3 -x264-params chroma-qp-offset=-8
            -c:a aac -b:a 40k -map_metadata -1 -movflags +faststart"""
        ffmpeg = subprocess.Popen([*command.split(), str(OUT)], stdin=subprocess.PIPE)
        for number in range(SECONDS * FPS):
            ffmpeg.stdin.write(frame(*picture, number / FPS).tobytes())
        ffmpeg.stdin.close()
        if ffmpeg.wait():
            sys.exit("ffmpeg failed")
    print(f"{OUT} {OUT.stat().st_size} bytes")


main()
