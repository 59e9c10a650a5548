import { expect, test } from "vitest";
import { codeAt, matchingStep, newSecret, openSecret, sealSecret, stepOf } from "./totp.ts";

const rfcSecret = "12345678901234567890";

// RFC 6238, appendix B, the SHA-1 rows.
test.each([
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
])("at second %i the code is %s", (seconds, code) => {
  expect(codeAt(rfcSecret, stepOf(new Date(seconds * 1000)), 8)).toBe(code);
});

test("a code fits for the half minute before and after its own, and no longer", () => {
  const at = new Date(1234567890_000);
  const code = codeAt(rfcSecret, stepOf(at));
  const later = (steps: number) => new Date(at.getTime() + steps * 30_000);
  for (const steps of [-1, 0, 1])
    expect(matchingStep(rfcSecret, code, later(steps))).toBe(stepOf(at));
  for (const steps of [-2, 2]) expect(matchingStep(rfcSecret, code, later(steps))).toBeNull();
  expect(matchingStep(rfcSecret, "", at)).toBeNull();
});

test("secrets differ, and only the right key opens them", async () => {
  const secret = newSecret();
  expect(secret).toHaveLength(20);
  expect(newSecret()).not.toBe(secret);
  const [key, other] = ["a".repeat(32), "b".repeat(32)];
  const sealed = await sealSecret(key, secret);
  expect(sealed).not.toContain(secret);
  expect(await openSecret(key, sealed)).toBe(secret);
  expect(await openSecret(other, sealed)).toBeNull();
});
