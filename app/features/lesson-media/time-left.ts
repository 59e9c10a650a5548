/** In ms: readings that lie closer say little. */
const stretch = 500;
/** In ms: after this time, older speeds weigh a third. */
const memory = 8000;
/** In ms: how long a wrong estimate is shown before a correction. */
const patience = 4000;

/** The time that an upload still takes, steadily: it counts down, and is corrected only if it is
 * wrong by a quarter (and five seconds), at most every four seconds. */
export class TimeLeft {
  #last: { at: number; sent: number; speed: number | null } | null = null;
  #shown: { seconds: number; at: number } | null = null;

  /** Earlier speeds mean nothing after a lost connection or a pause. */
  reset() {
    this.#last = null;
    this.#shown = null;
  }

  /** Adds a reading. @returns 'about 5 minutes left'; null before a speed is known */
  read(now: number, sent: number, size: number): string | null {
    const speed = this.#measure(now, sent);
    if (speed) this.#correct(now, (size - sent) / speed);
    return this.#shown && timeLeftInWords(this.#secondsLeft(now));
  }

  #measure(at: number, sent: number): number | null {
    const last = this.#last;
    if (!last || sent < last.sent) this.#last = { at, sent, speed: null };
    else if (at - last.at >= stretch) {
      const now = ((sent - last.sent) / (at - last.at)) * 1000;
      const weight = last.speed === null ? 0 : Math.exp((last.at - at) / memory);
      this.#last = { at, sent, speed: (last.speed ?? 0) * weight + now * (1 - weight) };
    }
    return this.#last?.speed ?? null;
  }

  #correct(at: number, seconds: number) {
    if (!this.#shown) this.#shown = { seconds, at };
    if (at - this.#shown.at < patience) return;
    const expected = this.#secondsLeft(at);
    const isWrong = Math.abs(seconds - expected) > Math.max(expected / 4, 5);
    this.#shown = { seconds: isWrong ? seconds : expected, at };
  }

  #secondsLeft(now: number): number {
    const { seconds = 0, at = now } = this.#shown ?? {};
    return Math.max(0, seconds - (now - at) / 1000);
  }
}

/** 'about 5 minutes left'; deliberately coarse. */
export function timeLeftInWords(seconds: number): string {
  if (seconds < 10) return "a few seconds left";
  if (seconds < 45) return "less than a minute left";
  const minutes = seconds / 60;
  if (minutes < 1.5) return "about a minute left";
  if (minutes < 10) return `about ${Math.round(minutes)} minutes left`;
  if (minutes < 52.5) return `about ${Math.round(minutes / 5) * 5} minutes left`;
  const hours = minutes / 60;
  if (hours < 1.25) return "about an hour left";
  if (hours < 1.75) return "about an hour and a half left";
  if (hours < 24) return `about ${Math.round(hours)} hours left`;
  return "more than a day left";
}
