import { expect, test } from "vitest";
import { mostCounted } from "~/features/courses/rules.ts";
import { outcomeInWords, reachedInWords } from "./messages.ts";

const others = { declined: 0, suspended: 0, deleting: 0, unverified: 0 };

test.each([
  [1, false, "1 student"],
  [mostCounted, false, "10,000 students"],
  [mostCounted + 1, true, "more than 10,000 students"],
  // The others of those that were counted are left out; who was not counted may be reached.
  [mostCounted, true, "at least 10,000 students"],
  [9_500, true, "at least 9,500 students"],
])("%i reached, more than are counted: %s", (reached, isMore, words) => {
  expect(reachedInWords({ ...others, reached, isMore })).toBe(words);
});

const outcome = { recipients: 10, sent: 10, waiting: 0, failed: 0, isGoing: false };

test.each([
  ["10 sent.", {}],
  ["4 sent, 5 waiting, 1 not sent.", { sent: 4, waiting: 5, failed: 1, isGoing: true }],
  ["9 sent, 1 not sent.", { sent: 9, failed: 1 }],
  // The failed one was removed from the list of emails; another was not needed any more.
  ["8 sent, 2 not sent.", { sent: 8 }],
  ["Stopped: 4 sent.", { sent: 4, waiting: 2, isStopped: true }],
])("what became of it: %s", (words, change) => {
  expect(outcomeInWords({ ...outcome, isStopped: false, ...change }, false)).toBe(words);
});
