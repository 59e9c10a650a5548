import { type Dice, diceOf } from "../random.ts";
import type { Valid } from "./harvest.ts";
import { contentTypes, headerNames, headerValues, methods } from "./heads.ts";
import { anyJson, mutateBytes, mutateFields, mutateJson, mutateText } from "./mutate.ts";
import { words } from "./words.ts";

/** A request that may be anything. `bytes` goes over a socket as it is; the others through fetch. */
export type FuzzRequest = {
  number: number;
  /** The role whose session it has, when it has one. */
  role: string;
  method: string;
  path: string;
  headers: [string, string][];
  body: string | null;
  bytes: Buffer | null;
};

export type Source = {
  seed: number;
  appUrl: string;
  /** What each role's pages send. */
  valid: Record<string, readonly Valid[]>;
  /** Each role's Cookie header. */
  cookies: Record<string, string>;
};

/** The request of this number: of the same source always the same. */
export function fuzzRequest(source: Source, number: number): FuzzRequest {
  const dice = diceOf(source.seed, number);
  const role = dice.pick(Object.keys(source.valid));
  const base = bodyOf(dice, dice.pick(source.valid[role] ?? []), source);
  const cookie = cookieFor(dice, source.cookies[role] ?? "");
  const headers = [...base.headers, ...moreHeaders(dice), ...cookie];
  // An address of its own for each, so that rate limits do not stop the run.
  headers.push(["x-forwarded-for", `10.${dice.below(256)}.${dice.below(256)}.${dice.below(256)}`]);
  const whole = { ...base, number, role, headers, bytes: null };
  if (!dice.chance(0.12)) return whole;
  return { ...whole, bytes: mutateBytes(dice, bytesOf(whole, source.appUrl)) };
}

type Body = Pick<FuzzRequest, "method" | "path" | "headers" | "body">;

function bodyOf(dice: Dice, valid: Valid, { appUrl }: Source): Body {
  const path = pathFor(dice, valid.path);
  const origin: [string, string] = ["origin", dice.chance(0.95) ? appUrl : dice.pick(headerValues)];
  if (valid.kind === "page") {
    if (!dice.chance(0.1))
      return { method: dice.chance(0.9) ? "GET" : "HEAD", path, headers: [], body: null };
    const type = dice.pick(contentTypes);
    const body = JSON.stringify(anyJson(dice));
    return { method: dice.pick(methods), path, headers: [origin, ["content-type", type]], body };
  }
  const method = dice.chance(0.95)
    ? valid.kind === "json"
      ? valid.method
      : "POST"
    : dice.pick(methods);
  const made =
    valid.kind === "json"
      ? { type: "application/json", body: mutateJson(dice, valid.json) }
      : formFor(dice, mutateFields(dice, valid.fields));
  const type = dice.chance(0.93) ? made.type : dice.pick(contentTypes);
  const accept: [string, string][] = dice.chance(0.2) ? [["accept", "application/json"]] : [];
  return { method, path, headers: [origin, ["content-type", type], ...accept], body: made.body };
}

function formFor(dice: Dice, fields: [string, string][]) {
  if (dice.chance(0.8)) {
    const plain = new URLSearchParams(fields).toString();
    const body = dice.chance(0.9) ? plain : mutateText(dice, plain);
    return { type: "application/x-www-form-urlencoded", body };
  }
  const parts = fields.map(([name, value]) => {
    const file = dice.chance(0.1) ? `; filename="${dice.pick(["x", "", "../x", '"'])}"` : "";
    return `--edge\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  const whole = `${parts.join("")}--edge--\r\n`;
  const body = dice.chance(0.85) ? whole : mutateText(dice, whole);
  return { type: "multipart/form-data; boundary=edge", body };
}

function pathFor(dice: Dice, path: string): string {
  if (dice.chance(0.45)) return path;
  const [plain = "", query = ""] = path.split("?");
  const parts = plain.split("/");
  const at = 1 + dice.below(Math.max(1, parts.length - 1));
  const word = () => encoded(dice, dice.pick(words));
  const params = dice
    .times(dice.below(4), () => `${encoded(dice, dice.pick(namesOf(query)))}=${word()}`)
    .join("&");
  return dice.pick([
    () => `${plain}?${params}`,
    () => `${plain}?${query}&${params}`,
    () => `${plain}.data?${query}${params}&_routes=${word()}`,
    () => parts.with(Math.min(at, parts.length - 1), word()).join("/"),
    () => `${plain}/${word()}?${query}`,
    () => `${plain}${dice.pick(["/", "//", "/.", "/..", ";x", "%2f", "%00", ".json", "~", "\\"])}`,
    () => encoded(dice, mutateText(dice, plain), "/"),
  ])();
}

const namesOf = (query: string) => [
  ...new URLSearchParams(query).keys(),
  ...["q", "redirect", "token", "lesson", "before", "after", "sort", "page", "mode", "state", "id"],
];

/** As a browser encodes it, or as someone does who has heard of it. */
function encoded(dice: Dice, text: string, keep = ""): string {
  if (dice.chance(0.15)) return text.replaceAll(/[^!-~]/g, "");
  const whole = encodeURIComponent(text.toWellFormed());
  return keep ? whole.replaceAll(encodeURIComponent(keep), keep) : whole;
}

function moreHeaders(dice: Dice): [string, string][] {
  const count = dice.chance(0.5) ? 0 : dice.below(4);
  return dice.times(count, () => [dice.pick(headerNames), dice.pick(headerValues)]);
}

function cookieFor(dice: Dice, own: string): [string, string][] {
  if (dice.chance(0.75)) return own ? [["cookie", own]] : [];
  const name = dice.pick([
    "blue-dot.session_token",
    "blue-dot.device",
    "toast",
    "tz",
    "theme",
    "__proto__",
  ]);
  const value = dice.pick([
    ...words,
    '{"title":1}',
    "%7B%22title%22%3A%22x%22%7D",
    "Europe/Berlin",
  ]);
  const plain = `${name}=${value.replaceAll(/[^!-~]/g, "")}`;
  return [
    [
      "cookie",
      dice.pick([plain, `${own}; ${plain}`, `${plain}; ${own}`, own.slice(0, -3), `;;=${own}`]),
    ],
  ];
}

/** The same request as it goes over the wire. */
function bytesOf({ method, path, headers, body }: Body, appUrl: string): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const length = body === null ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const host = `Host: ${new URL(appUrl).host}`;
  const head = [`${method} ${path} HTTP/1.1`, host, ...lines, ...length, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body ?? "")]);
}
