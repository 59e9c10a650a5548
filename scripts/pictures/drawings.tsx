import { arc, blob, shape, stroke } from "./brush.ts";

/** Short level lines, each 'x y length': what is seen of still water. */
function Ripples({ lines, fill = "var(--water-line)" }: { lines: string; fill?: string }) {
  const d = lines.split(", ").map((line, index) => {
    const [x = 0, y = 0, length = 0] = line.split(" ").map(Number);
    const middle = `${x + length / 2} ${y + (index % 3) - 1}`;
    return stroke(`${x} ${y}, ${middle}, ${x + length} ${y}`, 2.6, index + 3);
  });
  return <path fill={fill} d={d.join("")} />;
}

const stones = [
  { x: 214, y: 326, rx: 104, ry: 25 },
  { x: 420, y: 284, rx: 78, ry: 18 },
  { x: 562, y: 246, rx: 60, ry: 13.5 },
  { x: 678, y: 214, rx: 46, ry: 10 },
  { x: 764, y: 190, rx: 36, ry: 7.6 },
  { x: 832, y: 166, rx: 27, ry: 5.6 },
  { x: 882, y: 148, rx: 20, ry: 4.2 },
];

/** Seven stepping stones over the water, towards the dot. */
export function Stones({ className }: { className?: string }) {
  const line = [
    stroke("1002 122, 1070 98, 1130 88, 1190 76, 1240 80", 3, 5),
    stroke("-20 126, 300 125, 620 127, 880 126", 3.2, 8),
    stroke("970 126, 1100 125, 1230 126", 3, 3),
  ];
  return (
    <svg viewBox="0 60 1200 340" className={`illustration ${className}`} aria-hidden="true">
      <path fill="var(--hill-far)" d={shape("1000 125, 1070 100, 1130 90, 1240 78, 1260 124")} />
      <Ripples lines="40 170 130, 260 156 90, 470 172 120, 70 232 110, 300 222 100, 980 168 110, 1060 208 120, 900 240 150, 760 286 120, 1010 300 140, 620 330 150, 30 300 60, 860 352 160, 440 372 120" />
      <Ripples fill="var(--dot)" lines="898 170 60, 908 186 42, 902 204 52, 914 222 26" />
      <path fill="var(--dot)" d={blob([926, 120], [30, 30], 4)} />
      <path fill="currentColor" d={line.join("")} />
      {stones.map((stone, index) => (
        <Stone key={stone.x} {...stone} seed={index} />
      ))}
    </svg>
  );
}

type StoneProps = { x: number; y: number; rx: number; ry: number; seed: number };

/** Its side, its top, and the edges of both. */
function Stone({ x, y, rx, ry, seed }: StoneProps) {
  const width = 1.8 + rx / 42;
  const edges = [
    arc([x, y], [rx, ry], [150, 400], width, seed),
    arc([x, y], [rx, ry], [20, 165], width * 0.8, seed + 7),
    arc([x, y + ry * 0.72], [rx, ry], [-6, 186], width * 1.15, seed + 13),
  ];
  return (
    <g>
      <path fill="var(--hill-mid)" d={blob([x + rx * 0.03, y + ry * 0.7], [rx, ry], seed + 40)} />
      <path fill="var(--paper)" d={blob([x, y], [rx * 0.98, ry], seed + 20)} />
      <path fill="currentColor" d={edges.join("")} />
    </g>
  );
}
