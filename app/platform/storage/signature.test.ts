import { expect, test } from "vitest";
import { otherSpellings } from "../../../tests/support/signatures.ts";
import { signMediaUrl, verifyMediaUrl } from "./signature.ts";

const now = new Date("2026-03-01T12:00:00.400Z");
const parts = (address: string) => {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  const [, , bucket = "", ...key] = pathname.split("/");
  return {
    bucket,
    key: key.map(decodeURIComponent).join("/"),
    expires: searchParams.get("expires"),
    signature: searchParams.get("signature"),
    name: searchParams.get("name"),
  };
};

test("verifyMediaUrl: takes a URL until its second, and no longer", () => {
  const address = parts(signMediaUrl("secret", "course-audio", "m/a b.mp3", now));
  const at = (time: string) => verifyMediaUrl("secret", address, new Date(time));
  expect(at("2026-03-01T12:00:00.400Z")).toBe(true);
  expect(at("2026-03-01T12:59:59.999Z")).toBe(true);
  expect(at("2026-03-01T13:00:00.000Z")).toBe(false);
  expect(at("2026-03-01T13:00:01.000Z")).toBe(false);
});

test("verifyMediaUrl: refuses another secret, bucket, key or time", () => {
  const address = parts(signMediaUrl("secret", "course-audio", "m/a.mp3", now));
  expect(verifyMediaUrl("secret", address, now)).toBe(true);
  expect(verifyMediaUrl("Secret", address, now)).toBe(false);
  for (const change of [
    { bucket: "course-videos" },
    { key: "m/b.mp3" },
    // What is signed has parts that cannot be moved between them.
    { bucket: "course-audio\nm", key: "a.mp3" },
    { bucket: "", key: "course-audio\nm/a.mp3" },
    { expires: String(Number(address.expires) + 1) },
    { expires: null },
    { signature: null },
    { signature: "" },
  ])
    expect([change, verifyMediaUrl("secret", { ...address, ...change }, now)]).toEqual([
      change,
      false,
    ]);
});

test("verifyMediaUrl: refuses a signature with one other letter", () => {
  const address = parts(signMediaUrl("secret", "course-audio", "m/a.mp3", now));
  const { signature } = address;
  const is = (text: string) =>
    verifyMediaUrl("secret", { ...address, signature: text }, now) ? text : null;
  expect(is(signature ?? "")).toBe(signature);
  for (const other of otherSpellings(signature ?? "")) expect(is(other)).toBeNull();
});

test("verifyMediaUrl: covers the name that a file is saved under", () => {
  const named = parts(signMediaUrl("secret", "course-files", "m/1-a.pdf", now, "Trost & Rat.pdf"));
  expect(named.name).toBe("Trost & Rat.pdf");
  expect(verifyMediaUrl("secret", named, now)).toBe(true);
  for (const name of [null, "", "Trost & Rat.html", "Trost & Rat.pdf\r\nSet-Cookie: a=b"])
    expect([name, verifyMediaUrl("secret", { ...named, name }, now)]).toEqual([name, false]);
  const plain = parts(signMediaUrl("secret", "course-files", "m/1-a.pdf", now));
  expect(verifyMediaUrl("secret", { ...plain, name: "a.html" }, now)).toBe(false);
});
