import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { makeBackup } from "~/platform/backup/make.ts";
import { newId } from "~/platform/db/ids.ts";
import { regularTasks } from "~/server/jobs.ts";
import { cellsWith, holder, pageFor } from "../../support/account.ts";
import { goodPassword } from "../../support/accounts.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { emailsTo } from "../../support/mailbox.ts";
import { changeOwn, profileOf } from "../../support/own-rows.ts";
import { patient } from "../../support/patient.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { siteOfFile } from "../../support/site.ts";

// Passwords are asked for several times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

const isSqlite = !process.env.TEST_DATABASE_URL;
const hourMs = 3600_000;

/** The parts of names and addresses: an index of words leaves out the beginnings that words share. */
const first = { name: "Quixwobbly Zarthen", email: "quixwobbly@plimforth.example" };
const later = { name: "Jubberwick Zarthen", email: "jubberwick@grovelspun.example" };
const wished = "thrumbolt@xanderquill.example";
const words = ["quixwobbly", "zarthen", "plimforth", "jubberwick", "grovelspun", "thrumbolt"];
const parts = [...words, "xanderquill"].map((word) => word.slice(2));

const site = siteOfFile();
const admin = adminOfFile(site);

/** The parts that stand in the files of a folder, whatever their case; mail in files is a mailbox. */
function partsIn(folder: string): string[] {
  const found = new Set<string>();
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    const file = path.join(folder, name);
    if (name.startsWith("mail") || !statSync(file).isFile()) continue;
    const bytes = readFileSync(file, "latin1").toLowerCase();
    for (const part of parts) if (bytes.includes(part)) found.add(part);
  }
  return [...found].sort();
}

async function backup(): Promise<string> {
  const folder = temporaryFolder();
  await makeBackup(site.services.config, folder, { version: "test" });
  return folder;
}

async function workOfAnHour() {
  site.clock.forward(hourMs);
  for (const { run } of regularTasks) await run(site.services);
}

/** Someone with another name and another address than at first, and an account that has been used. */
async function livedIn() {
  const { services } = site;
  const { db, clock } = services;
  const course = await createCourse(services, [[{}]]);
  const ada = await holder(site);
  await changeOwn({ db }, "profiles", ada.id, first);
  const invitation = { name: first.name, email: first.email, productId: course.id };
  await db.write
    .insertInto("invitations")
    .values({
      ...{ id: newId(), ...invitation, tokenHash: newId(), invitedBy: admin.id },
      ...{ createdAt: clock.now(), expiresAt: clock.now(), acceptedAt: clock.now() },
    })
    .execute();
  const change = (email: string) =>
    ada.ask("/account/email", { form: { email, password: goodPassword } });
  await change(later.email);
  await (await pageFor(site, first.email)).press(ada.ask);
  await (await pageFor(site, later.email)).press(ada.ask);
  expect(await profileOf(services, ada.id)).toMatchObject({ email: later.email });
  await enroll(services, { userId: ada.id, productId: course.id });
  await recordPayment(services, { userId: ada.id, productId: course.id });
  await ada.ask("/account/name", { form: { name: later.name } });
  await change(wished);
  await vi.waitFor(() => expect(emailsTo(services.config, wished)).toHaveLength(1), patient);
  await site.ask(`/admin/students/${ada.id}`, {
    as: admin,
    form: { intent: "suspend", reason: "Zarthen asked for it" },
  });
  return ada;
}

test("a deleted account leaves no name and no address in the files, nor in a backup", async () => {
  const { services } = site;
  // Others, so that the search index has more than one segment.
  for (let n = 0; n < 40; n += 1) await createPerson(services);
  const ada = await livedIn();
  if (isSqlite) expect(partsIn(services.config.dataDir)).toEqual(parts.toSorted());
  expect(partsIn(await backup())).not.toEqual([]);

  await scheduleDeletion(services, ada.id);
  site.clock.forwardDays(7);
  await workOfAnHour();
  const subjects = () => emailsTo(services.config, later.email).map(({ subject }) => subject);
  await vi.waitFor(() => expect(subjects()).toContain("Your account is deleted"), patient);
  for (const text of [...words, "xanderquill", ada.id])
    await vi.waitFor(
      async () => expect([text, await cellsWith(services, text)]).toEqual([text, []]),
      patient,
    );
  // Also before the files are rewritten.
  expect(partsIn(await backup())).toEqual([]);
  await workOfAnHour();
  if (isSqlite) expect(partsIn(services.config.dataDir)).toEqual([]);
  expect(partsIn(await backup())).toEqual([]);
});
