import { describe, expect, test } from "vitest";
import type { Site } from "~content/fields.ts";
import { shown } from "~content/pages/site.yaml";
import { passwordWeakness } from "./passwords.server.ts";
import {
  authPath,
  firstMessage,
  inGroups,
  isGuessable,
  readCode,
  safeDestination,
  shownCode,
  typedSecret,
} from "./rules.ts";
import { signInFields, signUpFields } from "./schema.ts";

const content = { site: shown as Site };

describe("safeDestination", () => {
  test.each([
    ["/my-courses", "/my-courses"],
    ["/courses/blue-dot-method/learn?lesson=a#b", "/courses/blue-dot-method/learn?lesson=a#b"],
    ["/a/../b", "/b"],
    ["/courses/%2F%2Fevil.example", "/courses/%2F%2Fevil.example"],
  ])("keeps a path on this site: %s", (target, expected) => {
    expect(safeDestination(target)).toBe(expected);
  });

  test.each([
    null,
    undefined,
    "",
    "my-courses",
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "/..//evil.example",
    "/.//evil.example",
    "/\u007f/evil.example",
    "javascript:alert(1)",
    " /my-courses",
  ])("refuses what could lead elsewhere: %j", (target) => {
    expect(safeDestination(target)).toBe("/my-courses");
    expect(safeDestination(target, "/")).toBe("/");
  });
});

test("authPath keeps slashes readable and the rest of the address whole", () => {
  expect(authPath("/courses/blue-dot-method")).toBe("/auth?redirect=/courses/blue-dot-method");
  const path = authPath("/courses/x/learn?lesson=a&b=c");
  expect(new URL(path, "http://x").searchParams.get("redirect")).toBe(
    "/courses/x/learn?lesson=a&b=c",
  );
});

describe("account fields", () => {
  const good = { name: "Ada", email: "ada@example.com", password: "Correct1horse" };
  test.each([
    [{ ...good, name: "  " }, "Name is required"],
    [{ ...good, name: "x".repeat(101) }, "Name must be less than 100 characters"],
    [{ ...good, email: "nobody" }, "Invalid email format"],
    [{ ...good, email: "" }, "Invalid email format"],
    [
      { ...good, email: `${"x".repeat(250)}@example.com` },
      "Email must be less than 255 characters",
    ],
    [{ ...good, password: "Sh0rt" }, "Password must be at least 8 characters"],
    [{ ...good, password: `Aa1${"x".repeat(98)}` }, "Password must be less than 100 characters"],
    [{ ...good, password: "lowercase1" }, "Password must include at least one uppercase letter"],
    [{ ...good, password: "UPPERCASE1" }, "Password must include at least one lowercase letter"],
    [{ ...good, password: "NoNumberHere" }, "Password must include at least one number"],
    [{ ...good, name: "", email: "nobody", password: "x" }, "Name is required"],
    [{}, "Name is required"],
  ])("shows the first message only (%#)", (fields, message) => {
    expect(firstMessage(signUpFields.safeParse(fields))).toBe(message);
  });

  test("trims the address and the name, never the password", () => {
    const fields = { name: " Ada ", email: " ada@example.com ", password: " Correct1horse " };
    expect(signUpFields.parse(fields)).toEqual({ ...good, password: " Correct1horse " });
    expect(firstMessage(signInFields.safeParse(good))).toBeNull();
  });

  test("accepts the bounds themselves", () => {
    expect(
      signUpFields.safeParse({
        name: "x".repeat(100),
        email: good.email,
        password: `Aa1${"x".repeat(97)}`,
      }).success,
    ).toBe(true);
  });
});

test.each([
  ["123456", { kind: "app", code: "123456" }],
  [" 123 456 ", { kind: "app", code: "123456" }],
  ["123-456", { kind: "app", code: "123456" }],
  ["123\u00a0456\u200b", { kind: "app", code: "123456" }],
  ["abcde-fghjk", { kind: "recovery", code: "abcdefghjk" }],
  ["ABCDE FGHJK", { kind: "recovery", code: "abcdefghjk" }],
  ["OIL00-00000", { kind: "recovery", code: "0110000000" }],
  ["", null],
  ["12345", null],
  ["1234567", null],
  ["１２３４５６", null],
  ["abcde-fghju", null],
  ["abcde-fghjkm", null],
])("'%s' is read as %o", (typed, read) => expect(readCode(typed)).toEqual(read));

test("codes and secrets are shown in groups", () => {
  expect(shownCode("abcdefghjk")).toBe("abcde-fghjk");
  expect(inGroups("ABCDEFGHIJ")).toBe("ABCD EFGH IJ");
  expect(inGroups("ABCDEFGH")).toBe("ABCD EFGH");
  expect(typedSecret("otpauth://totp/X:a%40b?secret=ABCDEFGH&issuer=X")).toBe("ABCD EFGH");
});

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
    expect(await passwordWeakness(content, { password })).toEqual(refused);
  });

  test("knows whose password it is", async () => {
    const password = "Lovelace-1815";
    const ada = { name: "Ada", email: "lovelace@example.com" };
    expect(await passwordWeakness(content, { password, ...ada })).toEqual(refused);
    expect(await passwordWeakness(content, { password, name: "Grace", email: null })).toBeNull();
  });

  test("leaves what is nobody's favourite", async () => {
    for (const password of ["Correct-horse-9", "Her-own-1", "Quiet Morning 1"])
      expect(await passwordWeakness(content, { password })).toBeNull();
  });
});
