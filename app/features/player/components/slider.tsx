import type { CSSProperties, KeyboardEvent } from "react";

type Props = {
  label: string;
  words: string;
  value: number;
  max: number;
  /** Step of an arrow key; pointers go anywhere. */
  step: number;
  loaded?: number | undefined;
  className?: string;
  onChange: (value: number) => void;
  /** The current value, where the rendered one may be behind. */
  now?: () => number;
};

const arrows: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -6,
  PageUp: 6,
};

/** A native range input on a line that shows progress. */
export function Slider({
  label,
  words,
  value,
  max,
  step,
  loaded,
  className = "",
  onChange,
  now = () => value,
}: Props) {
  const share = (part: number) => `${max > 0 ? (part / max) * 100 : 0}%`;
  function byKey(event: KeyboardEvent) {
    const steps = arrows[event.key];
    if (!steps || event.metaKey || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    onChange(Math.min(max, Math.max(0, now() + steps * step)));
  }
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={words}
      className={`player-slider ${className}`}
      style={{ "--at": share(value), "--loaded": share(loaded ?? value) } as CSSProperties}
      min={0}
      max={max}
      step="any"
      value={value}
      onKeyDown={byKey}
      onChange={({ target }) => onChange(target.valueAsNumber)}
    />
  );
}
