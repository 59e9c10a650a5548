import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { guessablePasswordMessage } from "~/features/auth/messages.ts";
import { newSetupToken } from "~/features/auth/users.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { createCourse } from "../support/courses.ts";
import { emailsTo, emailTo, pathOf } from "../support/mailbox.ts";
import { createPerson } from "../support/people.ts";
import { readable } from "../support/responses.ts";
import { siteOfFile, startSite } from "../support/site.ts";
import { visitor } from "../support/visitor.ts";

const site = siteOfFile();

const password = "Sunshine1";

/** The form again, with the reason in its toast and at its field. */
async function expectRefused(response: Response, what = guessablePasswordMessage) {
  expect(response.status).toBe(400);
  const page = readable(await response.text());
  expect(page).toContain("Validation Error");
  expect(page.split(what).length - 1).toBeGreaterThanOrEqual(2);
  expect(page).not.toContain(password);
}

describe("a new password that is one of the first to be guessed is refused", () => {
  const fields = () => ({ name: "Ada", email: newAddress(), password });

  test("signing up, by form and directly; what was typed stays", async () => {
    const form = fields();
    const ada = visitor(site);
    const response = await ada.ask("/auth?mode=sign-up", { form });
    expect(readable(await response.clone().text())).toContain(`value="${form.email}"`);
    await expectRefused(response);
    const direct = await ada.ask("/api/auth/sign-up/email", { json: form });
    expect(direct.status).toBe(400);
    expect(await direct.json()).toMatchObject({ message: guessablePasswordMessage });
    expect(emailsTo(site.services.config, form.email)).toEqual([]);
  });

  test("made of her own name, too", async () => {
    const form = { ...fields(), name: "Ada Lovelace", password: "Lovelace-1815" };
    const response = await visitor(site).ask("/auth?mode=sign-up", { form });
    await expectRefused(response);
  });

  test("the messages of the rules come first", async () => {
    const form = { ...fields(), password: "sunshine1" };
    const response = await visitor(site).ask("/auth?mode=sign-up", { form });
    await expectRefused(response, "Password must include at least one uppercase letter");
  });

  test("choosing a new one by an email, whose link stays good", async () => {
    const { email } = await createAccount(site.services);
    const ada = visitor(site);
    await ada.ask("/auth/forgot", { form: { email } });
    const link = pathOf(await emailTo(site.services.config, email));
    await expectRefused(await ada.ask(link, { form: { password } }));
    expect((await ada.ask(link, { form: { password: "Another-horse-7" } })).status).toBe(303);
  });

  test("accepting an invitation, which stays open", async () => {
    const { services } = site;
    const course = await createCourse(services, [[{}]]);
    const coach = await createPerson(services, { role: "admin" });
    const email = newAddress();
    await inviteStudent(services, { email, name: null, productId: course.id, invitedBy: coach.id });
    const link = pathOf(await emailTo(services.config, email));
    const ada = visitor(site);
    await expectRefused(await ada.ask(link, { form: { name: "Ada", password } }));
    const accepted = await ada.ask(link, { form: { name: "Ada", password: goodPassword } });
    expect(accepted.status).toBe(303);
  });
});

test("anyone who has such a password still signs in with it", async () => {
  const { email } = await createAccount(site.services, { password });
  const answer = await visitor(site).ask("/auth", { form: { email, password } });
  expect(answer.status).toBe(303);
});

test("the first administrator is told as well, and the link stays good", async () => {
  const fresh = await startSite({ TRUSTED_PROXIES: "1" });
  const address = `/setup?token=${await newSetupToken(fresh.services)}`;
  const form = { name: "Nora", email: newAddress(), password };
  await expectRefused(await fresh.ask(address, { form }));
  const made = await fresh.ask(address, { form: { ...form, password: goodPassword } });
  expect(made.status).toBe(303);
  await fresh.close();
});

test("no browser gets the list", () => {
  const client = path.join(import.meta.dirname, "..", "..", "build", "client");
  const files = readdirSync(client, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(js|html|json|txt)$/.test(entry.name),
  );
  expect(files.length).toBeGreaterThan(20);
  for (const { parentPath, name } of files)
    expect(readFileSync(path.join(parentPath, name), "utf8"), name).not.toContain("trustno1");
});
