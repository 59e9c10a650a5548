import { expect, test } from "vitest";
import { confirmSubscription } from "~/features/newsletter/subscribers.server.ts";
import { newAddress } from "../support/accounts.ts";
import { emailTo } from "../support/mailbox.ts";
import {
  confirmPath,
  settled,
  signUp,
  subscriber,
  unsubscribePath,
} from "../support/newsletter.ts";
import { run } from "../support/process.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();

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

async function subscribe(firstName: string, email = newAddress()) {
  await signUp(site, { email, firstName });
  await settled(site);
  const message = await emailTo(site.services.config, email);
  await confirmSubscription(site.services, new URL(confirmPath(message), site.url).search.slice(7));
  return { email, path: unsubscribePath(message) };
}

test("npm run subscribers: the confirmed, as a file that a spreadsheet can open", {
  timeout: 120_000,
}, async () => {
  /** Names, and their cells: spreadsheets calculate with what begins with a sign. */
  const cells: Record<string, string> = {
    Zoë: "Zoë",
    'Ada "the first", Countess': '"Ada ""the first"", Countess"',
    "=1+1": "'=1+1",
    "+44": "'+44",
    "-2": "'-2",
    "@ada": "'@ada",
    "a;=1": "a;'=1",
    李: "李",
  };
  const { appUrl } = site.services.config;
  let expected = "first_name,email,confirmed_at,unsubscribe_url\n";
  for (const [name, cell] of Object.entries(cells)) {
    const { email, path } = await subscribe(name);
    const at = (await subscriber(site, email))?.confirmedAt?.toISOString();
    expected += `${cell},${email},${at},${appUrl}${path}\n`;
  }
  await signUp(site, { email: newAddress() });
  await site.ask((await subscribe("Gone")).path, { form: {} });
  expect(await list()).toEqual({ code: 0, out: expected, err: "8 confirmed subscribers.\n" });

  // The addresses in it work, whatever spreadsheet they have been through.
  const [, , , url = ""] = expected.split("\n")[1]?.split(",") ?? [];
  const { pathname, search } = new URL(url);
  await site.ask(pathname + search, { form: { "List-Unsubscribe": "One-Click" }, origin: null });
  const { email } = await subscribe("Ada", `+${newAddress()}`);

  const elsewhere = await list({
    NEWSLETTER_FORM_URL: "https://forms.example/7",
    npm_lifecycle_event: "subscribers",
  });
  expect(elsewhere.out).toContain(`,'${email},`);
  expect(elsewhere.err).toContain("8 confirmed subscribers.");
  expect(elsewhere.err).toContain("1 address begins with a sign that spreadsheets calculate with");
  expect(elsewhere.err).toContain("New signups go to NEWSLETTER_FORM_URL");
  expect(elsewhere.err).toContain("npm run --silent subscribers > list.csv");
  const quiet = await list({ npm_lifecycle_event: "subscribers", npm_config_loglevel: "silent" });
  expect(quiet.err).not.toContain("npm run");
});
