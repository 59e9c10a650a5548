import { expect, test } from "vitest";
import { readToken, signToken } from "./signed-token.ts";

const secret = "s".repeat(32);
const token = signToken(secret, "one", "abc.7");

test("a token gives its text back, to its purpose and its secret alone", () => {
  expect(readToken(secret, "one", token)).toBe("abc.7");
  expect(readToken(secret, "other", token)).toBeNull();
  expect(readToken("t".repeat(32), "one", token)).toBeNull();
});

test("no character of a token can be another one", () => {
  for (let at = 0; at < token.length; at += 1)
    for (const other of ["A", "z", "_", ".", "="]) {
      const forged = token.slice(0, at) + other + token.slice(at + 1);
      if (forged !== token) expect(readToken(secret, "one", forged), forged).toBeNull();
    }
});

test.each(["", ".", "abc.7", "abc.7.", token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`])(
  "%j is none",
  (text) => expect(readToken(secret, "one", text)).toBeNull(),
);
