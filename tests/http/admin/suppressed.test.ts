import { describe, expect, test } from "vitest";
import { listAudit } from "~/features/audit-log/audit-log.server.ts";
import { recordReports } from "~/features/suppressions/reports.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { newAddress } from "../../support/accounts.ts";
import { writeFailed, writeRow } from "../../support/email-log.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile({ LOG_LEVEL: "silent" });
const admin = adminOfFile(site);
const path = "/admin/mail/suppressed";

const read = async (address: string) => {
  const response = await site.ask(address, { as: admin });
  expect(response.status).toBe(200);
  return (await response.text()).replaceAll("<!-- -->", "");
};
const press = (form: Record<string, string>) => site.ask(path, { as: admin, form });
const report = (address: string, kind: "bounce" | "complaint", id = newId()) =>
  recordReports(site.services, "postmark", [
    { id, kind, address, isPermanent: true, detail: `550 5.1.1 <b>${kind}</b>` },
  ]);
const actions = async () => {
  const asked = { kind: null, by: null, cursor: null, limit: 10 };
  return (await listAudit(site.services, asked)).rows;
};

describe("GET /admin/mail/suppressed", () => {
  test("says who gets no email and why, narrowed by search and reason", async () => {
    expect(await read(path)).toContain("Every address gets email");
    const ada = await createPerson(site.services, { name: "Ada Lovelace" });
    const [bounced, complained] = [newAddress(), newAddress()];
    await report(bounced, "bounce");
    await report(complained, "complaint");
    await report(ada.email, "bounce");
    const page = await read(path);
    for (const text of [bounced, complained, "Ada Lovelace", "Bounced, as Postmark says"])
      expect(page).toContain(text);
    expect(page).toContain("550 5.1.1 &lt;b&gt;bounce&lt;/b&gt;");
    const spam = await read(`${path}?kind=complaint`);
    expect([spam.includes(complained), spam.includes(bounced)]).toEqual([true, false]);
    const found = await read(`${path}?q=${bounced.slice(0, 30).toUpperCase()}`);
    expect([found.includes(complained), found.includes(bounced)]).toEqual([false, true]);
    expect(await read(`${path}?q=nobody&kind=manual&at=nowhere`)).toContain("No such address");
    expect(await read("/admin/mail")).toContain(`href="${path}"`);
  });

  test("shows fifty a page", async () => {
    const some = Array.from({ length: 60 }, (_, index) => `${index}@many.example`);
    for (const address of some) await report(address, "bounce");
    const page = await read(`${path}?q=many.example`);
    expect(page.match(/aria-label="Send email again to /g)).toHaveLength(50);
    expect(page).toContain("60 addresses, page 1 of 2");
  });
});

test("POST /admin/mail/suppressed: adds an address, and lifts it after a question with its name", async () => {
  const person = await createPerson(site.services);
  const added = await press({ intent: "add", address: ` ${person.email}`, note: "by phone" });
  expect([added.status, toastOf(added)?.title]).toEqual([303, "Added to the list"]);
  const twice = await press({ intent: "add", address: person.email });
  expect(twice.status).toBe(400);
  expect(await twice.text()).toContain("This address is on the list already.");
  const wrong = await press({ intent: "add", address: "no address", note: "a note" });
  expect(wrong.status).toBe(400);
  const again = await wrong.text();
  for (const text of ["Please type one email address", 'value="no address"', 'value="a note"'])
    expect(again).toContain(text);

  const question = await read(`${path}?delete=${encodeURIComponent(person.email)}`);
  expect(question).toContain("Send email to this address again?");
  expect(question).toContain("by phone");
  for (let round = 0; round < 2; round += 1) {
    const lifted = await press({ intent: "lift", id: person.email });
    expect([lifted.status, toastOf(lifted)?.title]).toEqual([303, "This address gets email again"]);
  }
  const [last, before] = await actions();
  expect(last).toMatchObject({ action: "mail.unsuppressed", personId: person.id });
  expect(before).toMatchObject({ action: "mail.suppressed", personId: person.id });
  expect(JSON.stringify([last, before])).not.toContain(person.email);
});

test("GET /admin/mail: an email that was not sent to such an address says why", async () => {
  const address = newAddress();
  await writeFailed(site.services, { address, failure: "suppressed", lastError: "bounce" });
  const page = await read(`/admin/mail?state=failed&q=${address}`);
  expect(page).toContain("This address is on the list of addresses that get no email: it bounced.");
});

test("GET /admin: the rates of thirty days, and a line where they are too high", async () => {
  await site.services.db.write.deleteFrom("mailReports").execute();
  const finished = { finishedAt: site.clock.now(), subject: "A letter", payload: "{}" };
  for (let count = 0; count < 40; count += 1) await writeRow(site.services, finished);
  for (let count = 0; count < 2; count += 1) await report(newAddress(), "bounce");
  const calm = await read("/admin");
  expect(calm).toContain("Of 40 emails in the last 30 days, 2 bounced (5%) and none was reported");
  expect(calm).not.toContain("Look at the addresses");
  for (let count = 0; count < 3; count += 1) await report(newAddress(), "bounce");
  for (let count = 0; count < 2; count += 1) await report(newAddress(), "complaint");
  const high = await read("/admin");
  expect(high).toContain("5 of 40 emails of the last 30 days bounced");
  expect(high).toContain("2 emails of the last 30 days were reported as spam");
});
