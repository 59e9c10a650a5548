import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmSubscription } from "~/features/newsletter/subscribers.server.ts";
import { newAddress } from "../support/accounts.ts";
import { letterTo } from "../support/mailbox.ts";
import {
  confirmPath,
  settled,
  signUp,
  subscriber,
  unsubscribePath,
} from "../support/newsletter.ts";
import { run } from "../support/process.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** `npm run subscribers`, beside the running site, as a shell would see it. */
async function list(env: Record<string, string> = {}) {
  const { dataDir, databaseUrl, authSecret, appUrl } = site.services.config;
  const { code, out, err } = await run("command.ts", ["subscribers"], {
    DATA_DIR: dataDir,
    APP_URL: appUrl,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret } : {}),
    ...env,
  }).ended;
  return { code, out, err };
}

async function subscribe(
  firstName: string,
  email = newAddress(),
): Promise<{ email: string; unsubscribe: string }> {
  await signUp(site, { email, firstName });
  await settled(site);
  const letter = await letterTo(site.services.config, email);
  await confirmSubscription(site.services, new URL(confirmPath(letter), site.url).search.slice(7));
  return { email, unsubscribe: `${site.services.config.appUrl}${unsubscribePath(letter)}` };
}

const header = "first_name,email,confirmed_at,unsubscribe_url\n";

test("the confirmed, and nobody else, as a file that a spreadsheet can open", {
  timeout: 120_000,
}, async () => {
  expect(await list()).toEqual({ code: 0, out: header, err: "0 confirmed subscribers.\n" });

  const names = ["Zoë", 'Ada "the first", Countess', "=1+1", "+44", "-2", "@ada", "a;=1", "李"];
  const people = [];
  for (const name of names) people.push(await subscribe(name));
  await signUp(site, { email: newAddress() });
  const gone = await subscribe("Gone");
  await site.ask(gone.unsubscribe.slice(site.services.config.appUrl.length), { form: {} });

  const { code, out, err } = await list();
  expect([code, err]).toEqual([0, "8 confirmed subscribers.\n"]);
  const cells = [
    "Zoë",
    '"Ada ""the first"", Countess"',
    "'=1+1",
    "'+44",
    "'-2",
    "'@ada",
    "a;'=1",
    "李",
  ];
  const lines = [];
  for (const [n, { email, unsubscribe }] of people.entries()) {
    const at = (await subscriber(site, email))?.confirmedAt?.toISOString();
    lines.push(`${cells[n]},${email},${at},${unsubscribe}\n`);
  }
  expect(out).toBe(header + lines.join(""));

  // The addresses in it work, whatever spreadsheet they have been through.
  const [, , , url = ""] = out.split("\n")[1]?.split(",") ?? [];
  const { pathname, search } = new URL(url);
  await site.ask(pathname + search, { form: { "List-Unsubscribe": "One-Click" }, origin: null });
  expect((await list()).err).toBe("7 confirmed subscribers.\n");
});

test("says where the list is kept, and how npm keeps its own words out of it", {
  timeout: 120_000,
}, async () => {
  const { err } = await list({
    NEWSLETTER_FORM_URL: "https://forms.example/7",
    npm_lifecycle_event: "subscribers",
  });
  expect(err).toContain("New signups go to NEWSLETTER_FORM_URL");
  expect(err).toContain("npm run --silent subscribers > list.csv");
  const quiet = await list({ npm_lifecycle_event: "subscribers", npm_config_loglevel: "silent" });
  expect(quiet.err.split("\n")).toHaveLength(2);
});

test("an address that a spreadsheet would calculate is marked, and she is told", async () => {
  const { email } = await subscribe("Ada", `+${newAddress()}`);
  const { out, err } = await list();
  expect(out).toContain(`,'${email},`);
  expect(err).toContain("1 address begins with a sign that spreadsheets calculate with");
});
