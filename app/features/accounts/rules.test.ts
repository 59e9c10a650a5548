import { describe, expect, test } from "vitest";
import { authPath, firstMessage, safeDestination } from "./rules.ts";
import { signInFields, signUpFields } from "./schema.ts";

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
