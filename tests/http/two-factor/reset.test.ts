import { expect, test } from "vitest";
import { createAccount } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { emailTo } from "../../support/mailbox.ts";
import { ownRows } from "../../support/own-rows.ts";
import { run } from "../../support/process.ts";
import { siteOfFile } from "../../support/site.ts";
import { isSignedIn, signedIn } from "../../support/visitor.ts";
import { giveCode } from "./steps.ts";

const site = siteOfFile();

async function reset(...words: string[]) {
  const { dataDir, databaseUrl, authSecret } = site.services.config;
  const { ended } = run("command.ts", ["factor:reset", ...words], {
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, AUTH_SECRET: authSecret } : {}),
  });
  return ended;
}

test("npm run factor:reset: lets a user in who has lost device and codes", async () => {
  const ada = await createAccount(site.services);
  const app = await giveApp(site.services, ada);
  const who = await signedIn(site, ada);
  await giveCode(who, await app.code(site.clock.now()));
  expect(await isSignedIn(who)).toBe(true);

  const { code, out } = await reset(ada.email.toUpperCase());
  expect(code).toBe(0);
  expect(out).toContain("are gone, and the user is signed out everywhere");
  expect(await isSignedIn(who)).toBe(false);
  expect(await isSignedIn(await signedIn(site, ada))).toBe(true);
  const message = await emailTo(site.services.config, ada.email);
  expect(message.subject).toBe("Two-factor authentication was reset");
  for (const table of ["factors", "backupCodes"] as const)
    expect(await ownRows(site.services, table, ada.id)).toEqual([]);

  expect((await reset()).err).toContain("Whose? npm run factor:reset -- someone@example.com");
  expect((await reset("nobody@example.com")).err).toContain("Nobody has the address");
}, 120_000);
