import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type AutosaveState,
  createAutosave,
  createDevice,
  type DraftState,
  discardDraft,
  isBeingWritten,
  type SendResult,
  sendDraft,
  sendUnsentDrafts,
} from "./autosave.ts";

type Draft = DraftState & { text: string };
type Sent = { draft: Draft; isBeingDeleted: boolean; answer(result: SendResult): Promise<void> };

const device = createDevice<Draft>({
  name: "draft",
  isItem: (value): value is Draft => typeof (value as Draft | null)?.text === "string",
  idOf: ({ draftId }) => draftId,
  countOf: ({ revision }) => revision,
});
const stored = () => device.all("ada").map(({ draftId, text }) => `${draftId}: ${text}`);

/** A browser's storage; full while `isFull`. */
function memoryStorage() {
  const items: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new Error("QuotaExceededError");
      items[key] = value;
    },
    removeItem: (key: string) => delete items[key],
  };
  const hidden = Object.entries(methods).map(([name, value]) => [name, { value }]);
  return Object.defineProperties(items, Object.fromEntries(hidden));
}

let isFull = false;
let text = "";
let sent: Sent[] = [];
let states: AutosaveState[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", memoryStorage());
  [isFull, text, sent, states] = [false, "", [], []];
});
afterEach(() => {
  // In this order: a stub in place of a clock would bring the stopped one back.
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** An autosave of a form; the test answers what it sends. */
function open(absorbed: { id: string; revision: number }[] = []) {
  const autosave = createAutosave<Draft>({
    userId: "ada",
    draftId: "own",
    device,
    read: (state) => ({ ...state, text }),
    send: (draft, isBeingDeleted) =>
      new Promise((resolve) => {
        const answer = (result: SendResult) => {
          resolve(result);
          return vi.advanceTimersByTimeAsync(0).then(() => {});
        };
        sent.push({ draft, isBeingDeleted, answer });
      }),
    onState: (state) => states.push(state),
    onDraftId: () => {},
    absorbed,
  });
  const type = (typed: string) => {
    text = typed;
    autosave.changed();
  };
  return { autosave, type };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const answer = (result: SendResult) => sent.at(-1)?.answer(result);
const state = () => states.at(-1);

describe("createAutosave", () => {
  test("saves on the device after 200 ms, on the server after 800, then only there", async () => {
    const { type } = open();
    type("a");
    await pass(199);
    expect(stored()).toEqual([]);
    await pass(1);
    expect(stored()).toEqual(["own: a"]);
    type("ab");
    await pass(600);
    expect(sent.map(({ draft }) => [draft.revision, draft.text])).toEqual([[2, "ab"]]);
    await answer("saved");
    expect([stored(), state()]).toEqual([[], "saved"]);
  });

  test("sends what was typed meanwhile when the answer is there", async () => {
    const { type } = open();
    type("a");
    await pass(800);
    type("ab");
    await pass(5_000);
    expect(sent).toHaveLength(1);
    await answer("saved");
    expect([stored(), state()]).toEqual([["own: ab"], "writing"]);
    // A slow upload leaves the line to others for twice its time.
    await pass(9_999);
    expect(sent).toHaveLength(1);
    await pass(1);
    expect(sent[1]?.draft.text).toBe("ab");
  });

  test.each([
    ["unreachable", 10_000],
    ["full", 10_000],
    ["refused", null],
    ["signed-out", null],
  ] as const)(
    "after '%s' it is tried again after %s ms, or when more is typed",
    async (result, ms) => {
      const { type } = open();
      type("a");
      await pass(800);
      await answer(result);
      expect([stored(), state()]).toEqual([["own: a"], result]);
      await pass(60_000);
      expect(sent).toHaveLength(ms === null ? 1 : 2);
      if (ms !== null) await answer(result);
      const before = sent.length;
      type("ab");
      await pass(800);
      expect(sent).toHaveLength(before + 1);
    },
  );

  test("says that the text is only in the page when the device is full", async () => {
    const { autosave, type } = open();
    isFull = true;
    type("a");
    await pass(800);
    await answer("unreachable");
    expect(state()).toBe("only-here");
    isFull = false;
    autosave.retry();
    await answer("unreachable");
    expect([stored(), state()]).toEqual([["own: a"], "unreachable"]);
  });

  test("a save that fails after a later one was confirmed changes nothing", async () => {
    const { autosave, type } = open();
    type("a");
    await pass(800);
    type("ab");
    autosave.flush();
    expect(sent.map(({ isBeingDeleted }) => isBeingDeleted)).toEqual([false, true]);
    await sent[1]?.answer("saved");
    await sent[0]?.answer("unreachable");
    expect([stored(), state()]).toEqual([[], "saved"]);
    await pass(60_000);
    expect(sent).toHaveLength(2);
  });

  test("continues under the next id when the draft was sent or deleted elsewhere", async () => {
    const { type } = open([{ id: "older", revision: 3 }]);
    type("a");
    await pass(800);
    expect(sent[0]?.draft.absorbed).toEqual([{ id: "older", revision: 3 }]);
    await answer({ next: "other" });
    expect(stored()).toEqual(["other: a"]);
    expect([isBeingWritten("own"), isBeingWritten("other")]).toEqual([false, true]);
    expect(sent[1]?.draft).toMatchObject({ draftId: "other", revision: 1, absorbed: [{}] });
    await answer("saved");
    type("ab");
    await pass(800);
    expect(sent[2]?.draft).toMatchObject({ draftId: "other", revision: 2, absorbed: [] });
  });

  test("names a restored draft with the save that has its text, and deletes the device's copy", async () => {
    device.put("ada", { draftId: "older", revision: 3, absorbed: [], text: "b" });
    const { autosave } = open();
    text = "b";
    autosave.absorb({ id: "older", revision: 3 }, [{ id: "oldest", revision: 1 }]);
    expect(stored()).toEqual(["own: b"]);
    expect(sent[0]?.draft.absorbed.map(({ id }) => id)).toEqual(["older", "oldest"]);
  });

  test("a form that is being submitted as it was shown has words until it was refused or saved", () => {
    const { autosave } = open([{ id: "older", revision: 3 }]);
    autosave.submit();
    expect(autosave.hasWords()).toBe(true);
    autosave.saved();
    expect(autosave.hasWords()).toBe(false);
  });

  test("deletes the device's copy of what the form begins with when a save has it, and not before", async () => {
    device.put("ada", { draftId: "older", revision: 3, absorbed: [], text: "b" });
    const { autosave, type } = open([{ id: "oldest", revision: 1 }]);
    autosave.begin([{ id: "older", revision: 3 }]);
    await pass(60_000);
    expect([sent, stored(), autosave.hasWords()]).toEqual([[], ["older: b"], false]);
    type("bc");
    await pass(800);
    expect(sent[0]?.draft.absorbed).toEqual([{ id: "older", revision: 3 }]);
    expect(stored().toSorted()).toEqual(["older: b", "own: bc"]);
    await answer("saved");
    expect(stored()).toEqual([]);
  });

  test("leaves a restored draft on a device that is full", async () => {
    device.put("ada", { draftId: "older", revision: 3, absorbed: [], text: "b" });
    const { autosave } = open();
    isFull = true;
    autosave.absorb({ id: "older", revision: 3 });
    expect(stored()).toEqual(["older: b"]);
  });

  test("waits while the form is submitted; the device has its text until that is done", async () => {
    const { autosave, type } = open();
    type("a");
    await pass(800);
    type("ab");
    expect(autosave.submit()).toEqual([{ id: "own", revision: 2 }]);
    await answer({ next: "late" });
    await pass(60_000);
    expect([sent.length, stored()]).toEqual([1, ["own: ab"]]);
    autosave.resume();
    await pass(800);
    expect(sent[1]?.draft).toMatchObject({ draftId: "own", revision: 3, text: "ab" });
  });

  test("after a saved form, only what was typed since is autosaved", async () => {
    const { autosave, type } = open();
    type("a");
    autosave.submit();
    autosave.saved();
    expect([stored(), state()]).toEqual([[], "idle"]);
    await pass(60_000);
    expect(sent).toEqual([]);
    type("ab");
    await pass(800);
    expect(sent[0]?.draft.text).toBe("ab");
  });

  test("sends at once when the page closes: not what is submitted, but what was typed since", async () => {
    const { autosave, type } = open();
    type("a");
    autosave.submit();
    autosave.flush();
    expect(sent).toEqual([]);
    type("ab");
    autosave.close();
    expect(sent.map(({ draft, isBeingDeleted }) => [draft.text, isBeingDeleted])).toEqual([
      ["ab", true],
    ]);
    expect(isBeingWritten("own")).toBe(false);
  });
});

test.each<[string, () => Response, SendResult]>([
  ["204", () => new Response(null, { status: 204 }), "saved"],
  ["a draft that is gone", () => Response.json({ gone: true, next: "n" }), { next: "n" }],
  ["another site's page", () => new Response("<p>Sign in to this network</p>"), "unreachable"],
  ["another site's JSON", () => Response.json({ ok: true }), "unreachable"],
  ["401", () => new Response(null, { status: 401 }), "signed-out"],
  ["507", () => new Response(null, { status: 507 }), "full"],
  ["429", () => new Response(null, { status: 429 }), "unreachable"],
  ["400", () => new Response(null, { status: 400 }), "refused"],
  ["502", () => new Response(null, { status: 502 }), "unreachable"],
  ["no connection", () => Promise.reject(new TypeError("failed")) as never, "unreachable"],
])("sendDraft: %s", async (_, response, expected) => {
  vi.stubGlobal("fetch", async () => response());
  expect(await sendDraft("/draft", {}, false)).toEqual(expected);
});

test("sendDraft: says how long ago the text was typed", async () => {
  const bodies: Promise<string>[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: Blob }) => {
    bodies.push(body.text());
    return new Response(null, { status: 204 });
  });
  for (const at of [Date.now() - 5_000, Date.now() + 5_000, undefined, -1e15])
    await sendDraft("/draft", { text: "a", at }, false);
  const sent = (await Promise.all(bodies)).map((body) => JSON.parse(body));
  expect(sent).toEqual([5_000, 0, 0, 1e12].map((agoMs) => ({ text: "a", agoMs })));
});

test.each([
  ["discarded", () => ({ type: "opaqueredirect" }), {}],
  ["kept", () => Response.json({ changed: { title: "Kept" } }), { changed: { title: "Kept" } }],
  ["another site's page", () => new Response("<p>Sign in to this network</p>"), null],
  ["502", () => new Response(null, { status: 502 }), null],
])("discardDraft: %s", async (_, response, expected) => {
  vi.stubGlobal("fetch", async () => response());
  expect(await discardDraft("/draft", { id: "own", revision: 1 })).toEqual(expected);
});

test("sendUnsentDrafts: sends what earlier pages left, deletes what arrived, reports the rest", async () => {
  vi.stubGlobal("addEventListener", () => {});
  for (const draftId of ["saved", "gone", "refused", "own"])
    device.put("ada", { draftId, revision: 1, absorbed: [], text: draftId });
  localStorage.setItem("draft:ada:broken", "{");
  localStorage.setItem("draft:eve:other", localStorage.getItem("draft:ada:saved") ?? "");
  open();
  const results: Record<string, SendResult> = { saved: "saved", gone: { next: "n" } };
  let whileLoading: string[] = [];
  const onArrived = vi.fn(async () => {
    whileLoading = stored();
    expect(device.newer("ada", "saved", 0)?.text).toBe("saved");
    expect(device.newer("ada", "saved", 1)).toBeUndefined();
  });
  const onLeft = vi.fn();
  sendUnsentDrafts<Draft>({
    ...{ userId: "ada", device, onArrived, onLeft },
    send: async ({ draftId }) => results[draftId] ?? "refused",
  });
  await pass(0);
  expect(whileLoading).toContain("saved: saved");
  expect(stored().toSorted()).toEqual(["own: own", "refused: refused"]);
  expect(onLeft.mock.calls.flat(2)).toMatchObject([{ draftId: "refused" }]);
  expect(onArrived).toHaveBeenCalledTimes(1);
  expect(localStorage.getItem("draft:eve:other")).not.toBeNull();
});

test.each([
  ["was asked for before the last save was confirmed", 1, 1400],
  ["was asked for after it", 0, 1600],
  ["is the one that saved", 0, 1000],
])(
  "sendUnsentDrafts: a document that %s loads its drafts again %i times",
  async (_, times, timeOrigin) => {
    const listeners: Record<string, () => void> = {};
    vi.stubGlobal("addEventListener", (name: string, run: () => void) => {
      listeners[name] = run;
    });
    vi.stubGlobal("sessionStorage", memoryStorage());
    vi.stubGlobal("performance", { timeOrigin: 1000, now: () => 500 });
    open().type("a");
    await pass(800);
    await sent[0]?.answer("saved");
    expect(stored()).toEqual([]);
    expect(JSON.stringify(sessionStorage)).not.toContain('"a"');

    vi.stubGlobal("performance", { timeOrigin, now: () => 10 });
    const onArrived = vi.fn(async () => {});
    sendUnsentDrafts<Draft>({ userId: "ada", device, onArrived, send: async () => "saved" });
    await pass(0);
    listeners.online?.();
    await pass(0);
    expect(onArrived).toHaveBeenCalledTimes(times);
  },
);
