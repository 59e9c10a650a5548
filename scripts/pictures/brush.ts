type Point = readonly [number, number];

/** '10 20, 30 40' as points. */
const read = (points: string): Point[] =>
  points.split(", ").map((pair): Point => {
    const [x = 0, y = 0] = pair.split(" ").map(Number);
    return [x, y];
  });

/** The same 'random' numbers every time: a drawing is drawn once. */
function steady(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Points along a soft curve through the given ones (Catmull-Rom), closely spaced. */
function curve(points: readonly Point[], closed: boolean): Point[] {
  const at = (index: number): Point => {
    const last = points.length - 1;
    const inside = closed
      ? (index + points.length) % points.length
      : Math.min(Math.max(index, 0), last);
    return points[inside] ?? [0, 0];
  };
  const made: Point[] = [];
  const pieces = closed ? points.length : points.length - 1;
  for (let piece = 0; piece < pieces; piece++) {
    const [a, b, c, d] = [at(piece - 1), at(piece), at(piece + 1), at(piece + 2)];
    const steps = Math.max(4, Math.round(Math.hypot(c[0] - b[0], c[1] - b[1]) / 7));
    for (let step = 0; step < steps; step++) {
      const t = step / steps;
      const along = (axis: 0 | 1) =>
        0.5 *
        (2 * b[axis] +
          (c[axis] - a[axis]) * t +
          (2 * a[axis] - 5 * b[axis] + 4 * c[axis] - d[axis]) * t ** 2 +
          (3 * b[axis] - a[axis] - 3 * c[axis] + d[axis]) * t ** 3);
      made.push([along(0), along(1)]);
    }
  }
  if (!closed) made.push(at(points.length - 1));
  return made;
}

const written = (points: readonly Point[]) =>
  `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}z`;

/** A slow wave through 0 to 1 that no hand draws twice. */
function wave(seed: number): (t: number) => number {
  const random = steady(seed);
  const parts = [1.3, 2.7, 5.1].map((speed) => ({
    speed: speed * (0.7 + random() * 0.6),
    from: random() * 6.3,
  }));
  return (t) =>
    parts.reduce((sum, { speed, from }) => sum + Math.sin(from + t * speed * 6.3), 0) / 3;
}

/** A stroke of a brush that is set down and lifted: thin at its ends, never quite even. */
export function stroke(points: string, width: number, seed = 1): string {
  return brushed(curve(read(points), false), width, seed);
}

/** A stroke along a part of an ellipse, between two angles in degrees. */
export function arc(
  [x, y]: Point,
  [rx, ry]: Point,
  [from, to]: Point,
  width: number,
  seed: number,
): string {
  const points = Array.from({ length: 9 }, (_, index): Point => {
    const angle = ((from + ((to - from) * index) / 8) / 180) * Math.PI;
    return [x + Math.cos(angle) * rx, y + Math.sin(angle) * ry];
  });
  return brushed(curve(points, false), width, seed);
}

function brushed(spine: Point[], width: number, seed: number): string {
  const [sway, press] = [wave(seed), wave(seed + 71)];
  const left: Point[] = [];
  const right: Point[] = [];
  for (const [index, [x, y]] of spine.entries()) {
    const t = index / Math.max(1, spine.length - 1);
    const [fromX, fromY] = spine[Math.max(0, index - 1)] ?? [x, y];
    const [toX, toY] = spine[Math.min(spine.length - 1, index + 1)] ?? [x, y];
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    const [nx, ny] = [-(toY - fromY) / length, (toX - fromX) / length];
    const half =
      (width / 2) * Math.min(1, 0.22 + Math.sin(Math.PI * t) ** 0.5) * (1 + press(t) * 0.22);
    const off = sway(t) * width * 0.22;
    left.push([x + nx * (off + half), y + ny * (off + half)]);
    right.push([x + nx * (off - half), y + ny * (off - half)]);
  }
  return written([...left, ...right.reverse()]);
}

/** A filled shape with a soft edge through the given points. */
export function shape(points: string): string {
  return written(curve(read(points), true));
}

/** A round thing, not quite round. */
export function blob([x, y]: Point, [rx, ry]: Point, seed = 1): string {
  const bulge = wave(seed);
  const points = Array.from({ length: 14 }, (_, index): Point => {
    const angle = (index / 14) * 2 * Math.PI;
    const r = 1 + bulge(index / 14) * 0.03;
    return [x + Math.cos(angle) * rx * r, y + Math.sin(angle) * ry * r];
  });
  return written(curve(points, true));
}
