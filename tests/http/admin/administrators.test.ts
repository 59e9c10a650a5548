import { beforeEach, describe, expect, test, vi } from "vitest";
import { inviteAdministrator } from "~/features/accounts/admin-invitations.server.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { emailsTo, emailTo, pathOf } from "../../support/mailbox.ts";
import { profilesWith } from "../../support/own-rows.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { signedIn, visitor } from "../../support/visitor.ts";

const site = siteOfFile();
const page = "/admin/administrators";
beforeEach(() => site.services.db.write.deleteFrom("verifications").execute());
const dayMs = 24 * 3600_000;

const coach = (name = "Nora") => createPerson(site.services, { role: "admin", name });
const roleOf = async (email: string) => (await profilesWith(site.services, email))[0]?.role;
const read = async (as: Person, path = page) =>
  readable(await (await site.ask(path, { as })).text());
const post = (as: Person, form: Record<string, string>) => site.ask(page, { as, form });
const actionsOf = async ({ id }: { id: string }) => {
  const rows = site.services.db.read.selectFrom("auditEntries").select("action");
  const done = await rows.where("actorId", "=", id).orderBy("createdAt").orderBy("id").execute();
  return done.map(({ action }) => action);
};
const alerted = ({ email }: Pick<Person, "email">, subject: string) =>
  vi.waitFor(() => {
    const found = emailsTo(site.services.config, email).find((one) => one.subject === subject);
    if (!found) throw new Error(`no email '${subject}' yet`);
    return found;
  }, patient);

/** @returns path and query of the email's link */
async function invited(by: Person, email: string): Promise<string> {
  const before = emailsTo(site.services.config, email).length;
  const answer = await post(by, { intent: "invite", email });
  expect([answer.status, toastOf(answer)?.title]).toEqual([303, "Invitation written to a file"]);
  return pathOf(await emailTo(site.services.config, email, before + 1));
}
const idOf = async (email: string) =>
  (
    await site.services.db.read
      .selectFrom("verifications")
      .select("id")
      .where("value", "=", email)
      .executeTakeFirstOrThrow()
  ).id;

describe("an invitation of an administrator", () => {
  test("makes an account and an administrator once; the others are told, and it is recorded", async () => {
    const nora = await coach();
    const email = newAddress();
    const path = await invited(nora, email.toUpperCase());
    expect(await read(nora)).toContain(email);
    await alerted(nora, "An administrator was invited");
    const vera = visitor(site);
    expect(readable(await (await vera.ask(path)).text())).toContain("Become an administrator");
    expect(await roleOf(email)).toBeUndefined();
    const form = { name: "Vera", password: goodPassword };
    const answer = await vera.ask(path, { form });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/admin"]);
    expect((await vera.ask("/admin")).status).toBe(200);
    const [profile] = await profilesWith(site.services, email);
    expect(profile).toMatchObject({ role: "admin", name: "Vera", emailVerified: true });
    const { text } = await alerted(nora, "There is a new administrator");
    expect(text).toContain("Vera");
    expect(await actionsOf(nora)).toEqual(["account.admin-invited"]);
    expect(await actionsOf({ id: profile?.id ?? "" })).toEqual(["account.admin-accepted"]);
    expect((await visitor(site).ask(path, { form })).status).toBe(404);
    expect(await read(nora)).toContain("Vera");
  });

  test("of somebody with an account is accepted by them alone, signed in", async () => {
    const nora = await coach();
    const { email } = await createAccount(site.services);
    const path = await invited(nora, email);
    const anyone = visitor(site);
    const shown = readable(await (await anyone.ask(path)).text());
    expect(shown).toContain("Go to sign in");
    await anyone.ask(path, { form: { name: "Eve", password: goodPassword } });
    const eve = await createPerson(site.services);
    await site.ask(path, { as: eve, form: {} });
    expect([await roleOf(email), await roleOf(eve.email)]).toEqual(["student", "student"]);
    const who = await signedIn(site, { email });
    expect((await who.ask(path, { form: {} })).headers.get("location")).toBe("/admin");
    expect(await roleOf(email)).toBe("admin");
  });

  test("accepted twice at once makes one administrator", async () => {
    const nora = await coach();
    const email = newAddress();
    const path = await invited(nora, email);
    const form = { name: "Vera", password: goodPassword };
    await Promise.all([1, 2].map(() => visitor(site).ask(path, { form })));
    expect(await profilesWith(site.services, email)).toMatchObject([{ role: "admin" }]);
  });

  test("works no longer when it was withdrawn, sent anew, or three days are over", async () => {
    const nora = await coach();
    const email = newAddress();
    const form = { name: "Vera", password: goodPassword };
    const first = await invited(nora, email);
    const second = await invited(nora, email);
    expect((await visitor(site).ask(first, { form })).status).toBe(404);
    const withdrawn = await post(nora, { intent: "withdraw", id: await idOf(email) });
    expect(toastOf(withdrawn)?.title).toBe("Invitation withdrawn");
    expect((await visitor(site).ask(second, { form })).status).toBe(404);
    expect(await actionsOf(nora)).toContain("account.admin-invitation-withdrawn");
    const third = await invited(nora, email);
    site.clock.forward(3 * dayMs + 1);
    expect((await visitor(site).ask(third, { form })).status).toBe(404);
    expect(await read(await coach())).not.toContain(email);
    expect(await profilesWith(site.services, email)).toEqual([]);
  });
});

describe("all invitations of administrators", () => {
  test.each(["removed", "suspended"])("end when one is %s", async (end) => {
    const [nora, olga] = [await coach(), await coach("Olga")];
    const [email, other] = [newAddress(), newAddress()];
    const paths = [await invited(olga, email), await invited(nora, other)];
    const student = await createPerson(site.services);
    const suspend = (id: string) =>
      site.ask(`/admin/students/${id}`, { as: nora, form: { intent: "suspend", reason: "" } });
    await suspend(student.id);
    expect(await read(nora)).toContain(email);
    if (end === "suspended") await suspend(olga.id);
    else await post(nora, { intent: "remove", id: olga.id });
    const form = { name: "Vera", password: goodPassword };
    for (const path of paths) expect((await visitor(site).ask(path, { form })).status).toBe(404);
    expect([await roleOf(email), await roleOf(other)]).toEqual([undefined, undefined]);
    const { details } = await site.services.db.read
      .selectFrom("auditEntries")
      .select("details")
      .where("actorId", "=", nora.id)
      .where("action", "=", "account.admin-invitation-withdrawn")
      .executeTakeFirstOrThrow();
    expect(details).toEqual({ count: 2 });
  });

  test("are said to end, before one is removed or suspended", async () => {
    const [nora, olga] = [await coach(), await coach("Olga")];
    for (const path of [`${page}?remove=${olga.id}`, `/admin/students/${olga.id}`])
      expect(await read(nora, path)).toContain("Invitations of administrators that are open end");
    const student = await createPerson(site.services);
    expect(await read(nora, `/admin/students/${student.id}`)).not.toContain("Invitations of");
  });

  test("are made by active administrators alone, also when that ended meanwhile", async () => {
    const [nora, olga] = [await coach(), await coach("Olga")];
    await post(nora, { intent: "remove", id: olga.id });
    const typed = newAddress();
    await expect(inviteAdministrator(site.services, { typed, by: olga })).rejects.toThrow(
      "You are not an administrator any more.",
    );
    expect(await read(nora)).not.toContain(typed);
  });
});

describe("GET /admin/administrators", () => {
  test("says before removing the account of ADMIN_EMAIL that it comes back", async () => {
    const [nora, olga, ida] = [await coach(), await coach("Olga"), await coach("Ida")];
    const { config } = site.services;
    Object.assign(config, { admin: { email: olga.email.toUpperCase(), password: goodPassword } });
    expect(await read(nora, `${page}?remove=${olga.id}`)).toContain("ADMIN_EMAIL");
    expect(await read(nora, `${page}?remove=${ida.id}`)).not.toContain("ADMIN_EMAIL");
    Object.assign(config, { admin: null });
  });

  test("says that emails go out only where there is a mail server", async () => {
    const [nora, olga] = [await coach(), await coach("Olga")];
    const question = `${page}?remove=${olga.id}`;
    expect(await read(nora, question)).toContain("no mail server is set up");
    Object.assign(site.services.config, { smtpUrl: "smtp://127.0.0.1:9" });
    expect(await read(nora, question)).toContain("Olga and all administrators get an email.");
    const sent = await post(nora, { intent: "invite", email: newAddress() });
    expect(toastOf(sent)?.title).toBe("Invitation sent");
    Object.assign(site.services.config, { smtpUrl: null });
  });
});

describe("POST /admin/administrators", () => {
  test("asks for the password, and does nothing with a wrong one; what was typed stays", async () => {
    const { id, email: own } = await createAccount(site.services, { role: "admin" });
    const nora = { id, email: own, name: "Ada" };
    const other = await coach("Olga");
    const email = newAddress();
    for (const password of ["", "wrong"]) {
      const refused = await post(nora, { intent: "invite", email, password });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(`value="${email}"`);
      expect((await post(nora, { intent: "remove", id: other.id, password })).status).toBe(400);
    }
    expect(await roleOf(other.email)).toBe("admin");
    expect(await actionsOf(nora)).toEqual([]);
    const sent = await post(nora, { intent: "invite", email, password: goodPassword });
    expect(toastOf(sent)?.title).toBe("Invitation written to a file");
  });

  test("refuses what is no address, and who is an administrator already", async () => {
    const nora = await coach();
    for (const [email, words] of [
      ["", "Invalid email format"],
      ["nobody", "Invalid email format"],
      [nora.email, "an administrator already"],
    ] as const) {
      const answer = await post(nora, { intent: "invite", email });
      expect([email, answer.status]).toEqual([email, 400]);
      expect(await answer.text()).toContain(words);
    }
  });

  test("removes another administrator at once, never oneself; two at once leave one", async () => {
    const [nora, olga] = [await coach(), await coach("Olga")];
    expect(toastOf(await post(nora, { intent: "remove", id: nora.id }))?.description).toContain(
      "yourself",
    );
    const answers = await Promise.all([
      post(nora, { intent: "remove", id: olga.id }),
      post(olga, { intent: "remove", id: nora.id }),
    ]);
    expect(answers.map(({ status }) => status).every((status) => status < 400)).toBe(true);
    const roles = [await roleOf(nora.email), await roleOf(olga.email)];
    expect(roles.toSorted()).toEqual(["admin", "student"]);
    const [stays, gone] = roles[0] === "admin" ? [nora, olga] : [olga, nora];
    expect((await site.ask("/admin", { as: gone })).headers.get("location")).toBe("/");
    await alerted(gone, "An administrator was removed");
    await alerted(stays, "An administrator was removed");
    expect(await actionsOf(stays)).toEqual(["account.admin-removed"]);
    // Once more changes nothing.
    await post(stays, { intent: "remove", id: gone.id });
    expect(await actionsOf(stays)).toEqual(["account.admin-removed"]);
  });
});
