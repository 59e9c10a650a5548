import { describe, expect, test } from "vitest";
import { weakness } from "./queries.server.ts";
import { isGuessable } from "./rules.ts";

const commonest = {
  passwords: new Set(["trustno1", "1qaz2wsx"]),
  words: new Set(["sunshine", "dragon"]),
};

describe("a password that is guessed early", () => {
  test.each([
    ["one of the commonest", "Trustno1"],
    ["in other letters", "1Qaz2wSX"],
    ["a common word with a digit", "Sunshine1"],
    ["with signs and digits at both ends", "!!2Dragon_99"],
    ["the site's name", "BlueDot2026!"],
    ["its letters apart", "Blue-Dot-7"],
    ["her own name", "Ada_Lovelace1"],
    ["her address", "Countess1852"],
    ["one after the other", "AdaBlue1"],
  ])("%s: %s", (_, password) => {
    expect(
      isGuessable(password, commonest, ["Blue Dot", "Ada Lovelace", "countess@x.example"]),
    ).toBe(true);
  });

  test.each([
    ["a few words", "Quiet-sunshine-1"],
    ["a name and more", "Ada-likes-rain-3"],
    ["letters of other scripts", "Тихое-утро-Aa1"],
    ["hardly a letter", "12345678aB-9"],
    ["parts too short to be a name", "Bo-Bo-Bo-1"],
  ])("is not %s: %s", (_, password) => {
    expect(isGuessable(password, commonest, ["Blue Dot", "Ada Bo", ""])).toBe(false);
  });
});

describe("the list", () => {
  const refused = { field: "password", message: expect.stringContaining("easy to guess") };

  test.each([
    "Passw0rd",
    "Qwerty123",
    "Abcd1234",
    "1Q2w3e4r5t",
    "Princess1",
    "Welcome2026!",
    "Grief-Coach-1",
  ])("has %s", async (password) => {
    expect(await weakness({ password })).toEqual(refused);
  });

  test("knows whose password it is", async () => {
    const password = "Lovelace-1815";
    const ada = { name: "Ada", email: "lovelace@example.com" };
    expect(await weakness({ password, ...ada })).toEqual(refused);
    expect(await weakness({ password, name: "Grace", email: null })).toBeNull();
  });

  test("leaves what is nobody's favourite", async () => {
    for (const password of ["Correct-horse-9", "Her-own-1", "Quiet Morning 1"])
      expect(await weakness({ password })).toBeNull();
  });
});
