import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { masterKey, masterKeyFrom, readKey, writtenKey } from "../config/master-key.ts";
import { CannotOpen, newPersonKey, sealWith, unwrapKey, wrapKey } from "./seal.ts";

const key = newPersonKey();
const hers = sealWith(key, "grace");
const words = "Her chair is still by the window. 🕯️";

test.each(["", words, "x".repeat(2_000_000), "a\0b\u2028"])(
  "a text comes back as it was (%#)",
  (text) => {
    const sealed = hers.close(text, "progress:one");
    expect(sealed).toMatch(/^s1\.[\w-]+$/);
    expect(hers.open(sealed, "progress:one")).toBe(text);
  },
);

test("nothing of it can be read in what is stored, which is another each time", () => {
  const [first, second] = [hers.close(words, "a"), hers.close(words, "a")];
  expect(first).not.toBe(second);
  for (const form of ["utf8", "base64", "base64url", "hex"] as const)
    expect(
      Buffer.from(first.slice(3), "base64url").includes(Buffer.from(words).toString(form)),
    ).toBe(false);
});

test("it opens nowhere else: another place, another person, another key", () => {
  const sealed = hers.close(words, "progress:one");
  for (const open of [
    () => hers.open(sealed, "progress:two"),
    () => sealWith(key, "ada").open(sealed, "progress:one"),
    () => sealWith(newPersonKey(), "grace").open(sealed, "progress:one"),
    // Places that run together when they are put one after another.
    () => sealWith(key, "gracep").open(sealed, "rogress:one"),
  ])
    expect(open).toThrow(CannotOpen);
});

test("whatever was changed of it, or cut off, is refused", () => {
  const sealed = hers.close(words, "a");
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(() => hers.open(`s1.${changed.toString("base64url")}`, "a"), `byte ${place}`).toThrow(
      CannotOpen,
    );
  }
  for (const other of [
    "",
    "s1.",
    sealed.slice(3),
    `s2.${sealed.slice(3)}`,
    sealed.slice(0, -4),
    words,
  ])
    expect(() => hers.open(other, "a")).toThrow(CannotOpen);
});

test("the error has neither the text nor a key in it", () => {
  const sealed = hers.close(words, "a");
  try {
    sealWith(newPersonKey(), "grace").open(sealed, "progress:one");
    expect.unreachable();
  } catch (error) {
    const { message, stack = "", ...rest } = error as Error;
    expect(message).toBe("what is sealed as progress:one cannot be opened");
    expect(stack + JSON.stringify(rest)).not.toMatch(/chair|s1\./);
  }
});

test("a user's key is unwrapped for that user and its master key only", () => {
  const [one, other] = [masterKey(randomBytes(32)), masterKey(randomBytes(32))];
  const wrapped = wrapKey(one, "grace", key);
  expect(unwrapKey(one, "grace", wrapped)).toEqual(key);
  expect(() => unwrapKey(one, "ada", wrapped)).toThrow(CannotOpen);
  expect(() => unwrapKey(other, "grace", wrapped)).toThrow(CannotOpen);
  expect(() => unwrapKey({ ...other, id: one.id }, "grace", wrapped)).toThrow(CannotOpen);
  expect(() => unwrapKey(one, "grace", wrapped.slice(0, -2))).toThrow(CannotOpen);
});

test("a master key reads the same in every way of writing it; its fingerprint is its own", () => {
  const bytes = randomBytes(32);
  for (const form of ["hex", "base64", "base64url"] as const)
    expect(readKey(bytes.toString(form))).toEqual(bytes);
  expect(readKey(writtenKey(masterKey(bytes)))).toEqual(bytes);
  expect(masterKey(bytes).id).toMatch(/^[0-9a-f]{16}$/);
  expect(masterKey(bytes).id).not.toBe(masterKey(randomBytes(32)).id);
});

test("one made of AUTH_SECRET is the same on each machine, and not the secret", () => {
  const [one, same, other] = ["a", "a", "b"].map((letter) => masterKeyFrom(letter.repeat(32)));
  expect(one).toEqual(same);
  expect(one?.bytes).not.toEqual(other?.bytes);
  expect(one?.bytes).toHaveLength(32);
  expect(one?.bytes.includes("aaaa")).toBe(false);
});
