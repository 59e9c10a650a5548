import { afterAll, beforeAll, expect, test } from "vitest";
import { closeServices, openServices } from "~/server/services.ts";
import { goodPassword, newAddress } from "../support/accounts.ts";
import { testConfig } from "../support/config.ts";
import { cookieOf, createPerson } from "../support/people.ts";
import { startServing } from "../support/process.ts";

let site: Awaited<ReturnType<typeof startServing>>;
let cookie: string;
const email = newAddress();

beforeAll(async () => {
  const config = await testConfig(undefined);
  const services = await openServices(config);
  cookie = await cookieOf(services, (await createPerson(services)).id);
  await closeServices(services);
  site = await startServing({ DATA_DIR: config.dataDir, PORT: String(config.port) });
}, 60_000);
afterAll(() => site.kill("SIGKILL"));

const ask = (path: string, init: RequestInit = {}) =>
  fetch(site.url + path, { redirect: "manual", ...init });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  ask(path, { method: "POST", body, headers: { origin: site.url, ...headers } });

test("each refusal that matters is a line of the log, with nothing of who was refused", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const evil = { ...form, origin: "https://evil.example" };
  const token = "c29tZWJvZHk.not-signed-here";
  const answers = [
    await post("/newsletter/subscribe", `email=${email}`, evil),
    await ask("/media/lesson-audio/a/b.mp3?expires=99999999999&signature=forged"),
    await ask(`/newsletter/unsubscribe?token=${token}`),
    await ask("/admin/students?q=somebody", { headers: { cookie } }),
    await post("/uploads", "", { cookie }),
    await post("/auth", `email=${"x".repeat(70_000)}`, form),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 302, 403, 413]);
  const json = { "content-type": "application/json" };
  const wrong = JSON.stringify({ email, password: goodPassword });
  let last = 0;
  for (let n = 0; n < 20 && last !== 429; n += 1)
    last = (await post("/api/auth/sign-in/email", wrong, json)).status;
  expect(last).toBe(429);

  const lines = site
    .out()
    .split("\n")
    .filter((line) => line.includes('"msg":"refused"'));
  const logged = lines
    .map((line) => JSON.parse(line))
    .map(({ kind, where }) => `${kind}: ${where}`);
  for (const line of [
    "origin: /newsletter/subscribe",
    "signature: media",
    "signature: newsletter unsubscribe",
    "role: /admin/students",
    "role: /uploads",
    "body: /auth",
    "limit: auth",
  ])
    expect(logged).toContain(line);
  expect(logged.filter((line) => line.startsWith("body"))).toEqual(["body: /auth"]);
  for (const secret of [email, "evil", "forged", token, "somebody", "127.0.0.1", cookie])
    expect(lines.join("\n")).not.toContain(secret);
});
