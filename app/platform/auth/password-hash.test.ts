import * as library from "better-auth/crypto";
import { expect, test } from "vitest";
import { deriveKey, hashPassword, verifyPassword } from "./password-hash.ts";

test("a password is known by its hash, and no other one is", async () => {
  const hash = await hashPassword("a quiet blue dot");
  expect(await verifyPassword({ password: "a quiet blue dot", hash })).toBe(true);
  expect(await verifyPassword({ password: "a quiet blue doT", hash })).toBe(false);
  expect(await hashPassword("a quiet blue dot")).not.toBe(hash);
});

test("hashes go from the library to here and back, whatever way a letter was typed", async () => {
  const [composed, decomposed] = ["caf\u00e9 caf\u00e9", "cafe\u0301 cafe\u0301"];
  const hash = await library.hashPassword(composed);
  expect(await verifyPassword({ password: decomposed, hash })).toBe(true);
  const own = await hashPassword(decomposed);
  expect(await library.verifyPassword({ password: composed, hash: own })).toBe(true);
});

test.each(["", "salt", "salt:", ":00", "salt:00", "salt:zz"])("%j is no hash", async (hash) => {
  await expect(verifyPassword({ password: "anything", hash })).rejects.toThrow("cannot be read");
});

test("a thread that ends fails its own request only", async () => {
  const impossible = { N: 3, r: 1, p: 1, maxmem: 1 };
  const asked = [1, 2, 3].map(() =>
    deriveKey({ password: "x", salt: "y", keyBytes: 8, cost: impossible }),
  );
  for (const one of await Promise.allSettled(asked)) expect(one.status).toBe("rejected");
  expect(await verifyPassword({ password: "x", hash: await hashPassword("x") })).toBe(true);
});
