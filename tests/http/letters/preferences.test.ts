import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  emailPreferencesUrl,
  unsubscribeHeaders,
  wantsEmail,
} from "~/features/accounts/email-preferences.server.ts";
import { type EmailKind, emailKinds } from "~/features/accounts/messages.ts";
import { signToken } from "~/platform/crypto/signed-token.ts";
import { toastOf } from "../../support/answers.ts";
import { letterTo } from "../../support/mailbox.ts";
import { confirmPath, signUp, subscriber } from "../../support/newsletter.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { type Asking, startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let ada: Person;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  ada = await createPerson(site.services);
});

const local = (url: string) => url.slice(site.services.config.appUrl.length);
const preferences = () => local(emailPreferencesUrl(site.services, ada.id));
const offOf = (kind: EmailKind) => {
  const headers = unsubscribeHeaders(site.services, { userId: ada.id, kind });
  expect(headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  return local(headers["List-Unsubscribe"]?.slice(1, -1) ?? "");
};
const wanted = async (person = ada) => {
  const read = site.services.db.read;
  const kinds: EmailKind[] = [];
  for (const kind of emailKinds)
    if (await wantsEmail(read, { userId: person.id, kind })) kinds.push(kind);
  return kinds;
};
const shown = emailKinds.map((kind): [string, string] => ["letter-shown", kind]);
const both: EmailKind[] = ["lesson-opened", "module-completed"];
const oneClick: Asking = { form: { "List-Unsubscribe": "One-Click" }, origin: null };

describe("the page of one's letters", () => {
  test("has a box for each, ticked until she says otherwise", async () => {
    const page = await site.ask(preferences());
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    const html = await page.text();
    expect(html.match(/<input type="checkbox"[^>]*name="letter"[^>]*checked/g)).toHaveLength(2);
    expect(html).toContain("What always comes");
    // Whoever has the link learns nothing of whose letters they are.
    expect(html).not.toContain(ada.email);
    expect(html).not.toContain(ada.name);
  });

  test.each<[string, EmailKind[]]>([
    ["one", ["lesson-opened"]],
    ["the other", ["module-completed"]],
    ["none", []],
    ["both", both],
  ])("keeps that she wants %s, and another's choice as it is", async (_, kinds) => {
    const grace = await createPerson(site.services);
    for (let n = 0; n < 2; n += 1) {
      const form = [...shown, ...kinds.map((kind): [string, string] => ["letter", kind])];
      const answer = await site.ask(preferences(), { form });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, preferences()]);
      expect(toastOf(answer)?.title).toBe("Email preferences saved");
      expect(await wanted()).toEqual(kinds);
    }
    expect(await wanted(grace)).toEqual(both);
    await site.ask(preferences(), {
      form: [...shown, ["letter", "lesson-opened"], ["letter", "module-completed"]],
    });
    expect(await wanted()).toEqual(both);
  });

  test("leaves alone what the form did not show, or what nobody knows", async () => {
    const form: [string, string][] = [
      ["letter-shown", "lesson-opened"],
      ["letter-shown", "receipt"],
      ["letter", "module-completed"],
    ];
    await site.ask(offOf("module-completed"), oneClick);
    expect((await site.ask(preferences(), { form })).status).toBe(303);
    expect(await wanted()).toEqual([]);
    const rows = await site.services.db.read
      .selectFrom("declinedEmails")
      .select("kind")
      .where("userId", "=", ada.id)
      .execute();
    expect(rows.map(({ kind }) => kind).sort()).toEqual(both);
  });

  test("works without a link for whoever is signed in, and for another's letters with hers", async () => {
    const grace = await createPerson(site.services);
    await site.ask("/mail-preferences", {
      as: grace,
      form: [...shown, ["letter", "lesson-opened"]],
    });
    expect([await wanted(grace), await wanted()]).toEqual([["lesson-opened"], both]);
    await site.ask(preferences(), { as: grace, form: [...shown, ["letter", "module-completed"]] });
    expect([await wanted(grace), await wanted()]).toEqual([
      ["lesson-opened"],
      ["module-completed"],
    ]);
  });

  test("takes no form of another site's", async () => {
    const origin = "https://elsewhere.example";
    const answer = await site.ask(preferences(), { form: shown, origin });
    expect(answer.status).toBe(403);
    expect(await wanted()).toEqual(both);
  });
});

describe("the newsletter on that page", () => {
  async function onTheList() {
    await signUp(site, { email: ada.email });
    await site.ask(confirmPath(await letterTo(site.services.config, ada.email)), { form: {} });
  }

  test("has a box for whoever is on the list, and ends when it is not ticked", async () => {
    expect(await (await site.ask(preferences())).text()).toContain("does not come to this address");
    await onTheList();
    expect(await (await site.ask(preferences())).text()).toContain('value="newsletter"');
    const both: [string, string][] = [...shown, ["newsletter-shown", "newsletter"]];
    await site.ask(preferences(), { form: [...both, ["newsletter", "newsletter"]] });
    expect(await subscriber(site, ada.email)).toMatchObject({ status: "confirmed" });
    // A form that did not show it says nothing of it.
    await site.ask(preferences(), { form: shown });
    expect(await subscriber(site, ada.email)).toMatchObject({ status: "confirmed" });
    await site.ask(preferences(), { form: both });
    expect(await subscriber(site, ada.email)).toMatchObject({ status: "unsubscribed" });
  });

  test("is nobody's who has not shown that the address is hers", async () => {
    await onTheList();
    await site.services.db.write
      .updateTable("profiles")
      .set({ emailVerified: false })
      .where("id", "=", ada.id)
      .execute();
    expect(await (await site.ask(preferences())).text()).not.toContain('value="newsletter"');
    await site.ask(preferences(), { form: [...shown, ["newsletter-shown", "newsletter"]] });
    expect(await subscriber(site, ada.email)).toMatchObject({ status: "confirmed" });
  });
});

describe("one press", () => {
  test.each(["GET", "HEAD"])(
    "a program that opens every link (%s) ends nothing",
    async (method) => {
      for (const kind of emailKinds)
        for (let n = 0; n < 2; n += 1)
          expect((await site.ask(offOf(kind), { method })).status).toBe(200);
      expect(await wanted()).toEqual(both);
    },
  );

  test.each<[string, Asking]>([
    ["no origin", oneClick],
    ["another origin", { ...oneClick, origin: "https://mail.example" }],
    ["as multipart", { multipart: [["List-Unsubscribe", "One-Click"]], origin: null }],
  ])("of a mail program, with %s, ends this kind of letter and no other", async (_, asking) => {
    for (let n = 0; n < 2; n += 1) {
      const answer = await site.ask(offOf("lesson-opened"), asking);
      expect([answer.status, await answer.text()]).toEqual([200, "You are unsubscribed."]);
    }
    expect(await wanted()).toEqual(["module-completed"]);
  });

  test.each<[string, Asking]>([
    ["another form", { form: { letter: "x" }, origin: null }],
    ["more than the one pair", { form: { "List-Unsubscribe": "One-Click", a: "b" }, origin: null }],
    ["nothing", { method: "POST", origin: null }],
  ])("from elsewhere with %s is refused", async (_, asking) => {
    expect((await site.ask(offOf("lesson-opened"), asking)).status).toBe(403);
    expect(await wanted()).toEqual(both);
  });

  test("on the page ends it too, and leads to the choice", async () => {
    const answer = await site.ask(offOf("module-completed"), { form: {} });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, preferences()]);
    expect(await wanted()).toEqual(["lesson-opened"]);
    const again = await (await site.ask(offOf("module-completed"))).text();
    expect(again).toContain("These emails have stopped");
  });

  test("works for good", async () => {
    const [off, page] = [offOf("lesson-opened"), preferences()];
    site.clock.forwardDays(3650);
    expect((await site.ask(page)).status).toBe(200);
    expect((await site.ask(off, oneClick)).status).toBe(200);
    expect(await wanted()).toEqual(["module-completed"]);
  });
});

describe("a link that is not ours, or no more", () => {
  const forged = () => [
    "none",
    "",
    "%00",
    ada.id,
    `${ada.id}.`,
    `${preferences().split("token=")[1]}x`,
    signToken(site.services.config.authSecret, "newsletter unsubscribe", ada.id),
    signToken("another secret that is long enough", "email preferences", ada.id),
  ];

  test("changes nothing and says so calmly", async () => {
    for (const token of forged())
      for (const [path, asking] of [
        [`/mail-preferences?token=${token}`, {}],
        [`/mail-preferences?token=${token}`, { form: shown }],
        [`/mail-preferences/off?letter=lesson-opened&token=${token}`, {}],
        [`/mail-preferences/off?letter=lesson-opened&token=${token}`, { form: {} }],
        [`/mail-preferences/off?letter=lesson-opened&token=${token}`, oneClick],
      ] as const) {
        const answer = await site.ask(path, asking);
        expect([path, answer.status]).toEqual([path, 400]);
        expect(await answer.text()).toMatch(/This link (does not work|is not one of ours)/);
      }
    expect(await wanted()).toEqual(both);
  });

  test("nor does a kind of letter that always comes", async () => {
    for (const letter of ["", "receipt", "__proto__"]) {
      const path = offOf("lesson-opened").replace("letter=lesson-opened", `letter=${letter}`);
      expect((await site.ask(path, oneClick)).status).toBe(400);
      expect((await site.ask(path)).status).toBe(400);
    }
    expect(await wanted()).toEqual(both);
  });

  test("of an account that is gone is as good as any answer to it", async () => {
    const [page, off] = [preferences(), offOf("lesson-opened")];
    await site.services.db.write.deleteFrom("profiles").where("id", "=", ada.id).execute();
    for (const [path, asking, status] of [
      [page, {}, 410],
      [page, { form: shown }, 410],
      [off, {}, 410],
      [off, oneClick, 200],
    ] as const)
      expect([path, (await site.ask(path, asking)).status]).toEqual([path, status]);
    expect(await (await site.ask(page)).text()).toContain("You get no more emails");
  });
});
