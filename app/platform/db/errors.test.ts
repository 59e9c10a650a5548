import { expect, test } from "vitest";
import { isUnreachable } from "./errors.ts";

test.each([
  ["08P01", "a pooler whose server is away"],
  ["08006", "a connection that failed"],
  ["57P05", "a session that was idle too long"],
  ["25006", "a standby"],
])("%s is no fault of the site: %s", (code) => {
  expect(isUnreachable(Object.assign(new Error("said by the server"), { code }))).toBe(true);
});

test.each(["23505", "42601", "22008"])("%s is about one statement", (code) => {
  expect(isUnreachable(Object.assign(new Error("said by the server"), { code }))).toBe(false);
});
