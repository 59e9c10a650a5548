import { expect, test } from "vitest";
import { providerEmail, providerUserName } from "./provider-callback.server.ts";

test.each([
  ["Ada Lovelace", "Ada Lovelace"],
  ["  Ada  ", "Ada"],
  [null, "ada.l"],
  ["", "ada.l"],
  [" \u0000\n ", "ada.l"],
  ["A\u0000da", "A da"],
  ["n".repeat(101), "n".repeat(100)],
  ["👩‍👩‍👧".repeat(40), "👩‍👩‍👧".repeat(12)],
  ["Ada\ud800", "Ada\ufffd"],
])("the name %j of a provider becomes %j", (told, name) => {
  expect(providerUserName(told, "ada.l@example.com")).toBe(name);
});

test.each([
  ["ADA@example.com", "ada@example.com"],
  [null, null],
  ["ada", null],
  [`${"e".repeat(250)}@example.com`, null],
])("the address %j of a provider becomes %j", (email, address) => {
  expect(providerEmail({ email })).toBe(address);
});
