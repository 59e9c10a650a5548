import { expect, test } from "vitest";
import { goodPassword, newAddress } from "../support/accounts.ts";
import { startServing } from "../support/process.ts";
import { rawRequest } from "../support/raw-request.ts";

test("each sign-in is a line of the log: what and how it ended, and nothing that was typed", {
  timeout: 120_000,
}, async () => {
  const admin = { email: newAddress(), password: goodPassword };
  const program = await startServing({
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  const address = `http://127.0.0.1:${program.port}`;
  const signIn = (body: object) =>
    rawRequest(address, {
      method: "POST",
      path: "/api/auth/sign-in/email",
      headers: { origin: program.url, "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
  const wrong = { ...admin, password: "Wrong-horse-9" };
  await signIn(wrong);
  await signIn({ email: newAddress(), password: "Another-horse-9" });
  await signIn(admin);
  await program.line(/"outcome":"done"/);
  const { out, err } = await program.kill("SIGTERM");
  const lines = out
    .split("\n")
    .filter((line) => line.includes('"operation"'))
    .map((line) => JSON.parse(line));
  expect(lines.map(({ operation, outcome }) => [operation, outcome])).toEqual([
    ["/sign-in/email", "INVALID_EMAIL_OR_PASSWORD"],
    ["/sign-in/email", "INVALID_EMAIL_OR_PASSWORD"],
    ["/sign-in/email", "done"],
  ]);
  expect(lines.map(({ userId }) => typeof userId)).toEqual(["undefined", "undefined", "string"]);
  for (const typed of [admin.email, "horse", "@example.com"])
    expect(lines.map((line) => JSON.stringify(line)).join()).not.toContain(typed);
  expect(err).toBe("");
});
