import { goodPassword } from "../../support/accounts.ts";
import { appOnPage, codesOnPage } from "../../support/authenticator-app.ts";
import type { TestSite } from "../../support/site.ts";
import type { Visitor } from "../../support/visitor.ts";

export const secondStep = "/auth/second-step?redirect=/my-courses";
export const security = "/account/security";

export const giveCode = (who: Visitor, code: string, path = secondStep) =>
  who.ask(path, { form: { code } });

/** Begins to add an app, up to the page with the QR code. */
export async function beginApp(who: Visitor, name = "My phone") {
  const begun = await who.ask(`${security}/app`, {
    form: { intent: "begin", name, password: goodPassword },
  });
  const path = begun.headers.get("location") ?? "";
  const page = await (await who.ask(path)).text();
  return { path, page, app: appOnPage(page) };
}

/** Adds an app, with a code of its own. @returns the backup codes that were shown, if any */
export async function addApp(site: TestSite, who: Visitor, name?: string) {
  const { path, app } = await beginApp(who, name);
  const code = await app.code(site.clock.now());
  const done = await who.ask(path, { form: { intent: "finish", code } });
  return { app, status: done.status, codes: codesOnPage(await done.text()), path };
}
