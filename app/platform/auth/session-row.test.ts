import { expect, test } from "vitest";
import { otherSpellings } from "../../../tests/support/signatures.ts";
import { openToken, sealToken } from "./session-row.ts";

const secret = "s".repeat(32);

test("a session's cookie is what was signed, letter by letter", () => {
  const sealed = sealToken("token", secret);
  expect(openToken(sealed, secret)).toBe("token");
  for (const other of otherSpellings(sealed.slice("token.".length)))
    expect(openToken(`token.${other}`, secret), other).toBeNull();
});
