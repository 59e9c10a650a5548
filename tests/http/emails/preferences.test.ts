import { beforeEach, describe, expect, test } from "vitest";
import {
  emailPreferencesUrl,
  unsubscribeLinks,
  wantsEmail,
} from "~/features/accounts/email-preferences.server.ts";
import { adminEmailKinds, type EmailKind, emailKinds } from "~/features/accounts/messages.ts";
import { signToken } from "~/platform/crypto/signed-token.ts";
import { emailTo } from "../../support/mailbox.ts";
import { confirmPath, signUp, subscriber } from "../../support/newsletter.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { toastOf } from "../../support/responses.ts";
import { type Asking, siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
let ada: Person;
beforeEach(async () => {
  ada = await createPerson(site.services);
});

const local = (url: string) => url.slice(site.services.config.appUrl.length);
const preferences = () => local(emailPreferencesUrl(site.services, ada.id));
const read = async (path = preferences()) => (await site.ask(path)).text();
const offOf = (kind: EmailKind) =>
  local(unsubscribeLinks(site.services, { userId: ada.id, kind }).off);
const wanted = async (person = ada) => {
  const kinds: EmailKind[] = [];
  for (const kind of ofStudents)
    if (await wantsEmail(site.services.db.read, { userId: person.id, kind })) kinds.push(kind);
  return kinds;
};
const ofStudents = emailKinds.filter((kind) => !adminEmailKinds.includes(kind));
const shown = ofStudents.map((kind): [string, string] => ["kind-shown", kind]);
const choice = (...kinds: EmailKind[]) => [
  ...shown,
  ...kinds.map((kind): [string, string] => ["kind", kind]),
];
const all: EmailKind[] = ["lesson-opened", "module-completed", "course-email"];
const oneClick: Asking = { form: { "List-Unsubscribe": "One-Click" }, origin: null };

describe("GET and POST /mail-preferences", () => {
  test("has a ticked box for each kind, and names no user", async () => {
    const page = await site.ask(preferences());
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    const html = await page.text();
    expect(html.match(/<input type="checkbox"[^>]*name="kind"[^>]*checked/g)).toHaveLength(3);
    expect(html).toContain("What always comes");
    for (const word of [ada.email, ada.name]) expect(html).not.toContain(word);
  });

  test("saves each choice, and leaves another user's as it is", async () => {
    const grace = await createPerson(site.services);
    const choices: EmailKind[][] = [["lesson-opened"], ["course-email"], [], [], all, all];
    for (const kinds of choices) {
      const answer = await site.ask(preferences(), { form: choice(...kinds) });
      expect([answer.status, answer.headers.get("location")]).toEqual([303, preferences()]);
      expect(toastOf(answer)?.title).toBe("Email preferences saved");
      expect(await wanted()).toEqual(kinds);
    }
    await site.ask(preferences(), { form: choice() });
    expect(await wanted(grace)).toEqual(all);
  });

  test("leaves alone what the form did not show, or what is unknown", async () => {
    const form: [string, string][] = [
      ["kind-shown", "lesson-opened"],
      ["kind-shown", "receipt"],
      ["kind", "module-completed"],
    ];
    await site.ask(offOf("module-completed"), oneClick);
    expect((await site.ask(preferences(), { form })).status).toBe(303);
    expect(await wanted()).toEqual(["course-email"]);
    const rows = site.services.db.read.selectFrom("declinedEmails").select("kind");
    const declined = await rows.where("userId", "=", ada.id).execute();
    expect(declined.map(({ kind }) => kind).sort()).toEqual(["lesson-opened", "module-completed"]);
  });

  test("works signed in without a link, and with a link for the user of the link", async () => {
    const grace = await createPerson(site.services);
    await site.ask("/mail-preferences", { as: grace, form: choice("lesson-opened") });
    expect([await wanted(grace), await wanted()]).toEqual([["lesson-opened"], all]);
    await site.ask(preferences(), { as: grace, form: choice("module-completed") });
    expect(await wanted(grace)).toEqual(["lesson-opened"]);
    expect(await wanted()).toEqual(["module-completed"]);
  });

  test("refuses a form of another site", async () => {
    const answer = await site.ask(preferences(), { form: shown, origin: "https://evil.example" });
    expect(answer.status).toBe(403);
    expect(await wanted()).toEqual(all);
  });
});

describe("the newsletter at /mail-preferences", () => {
  const newsletterShown: [string, string][] = [...shown, ["newsletter-shown", "newsletter"]];
  const status = async () => (await subscriber(site, ada.email))?.status;
  async function subscribe() {
    await signUp(site, { email: ada.email });
    await site.ask(confirmPath(await emailTo(site.services.config, ada.email)), { form: {} });
  }

  test("has a box for a subscriber, and ends when that is not ticked", async () => {
    expect(await read()).toContain("does not come to this address");
    await subscribe();
    expect(await read()).toContain('value="newsletter"');
    await site.ask(preferences(), { form: [...newsletterShown, ["newsletter", "newsletter"]] });
    expect(await status()).toBe("confirmed");
    // A form that did not show it says nothing of it.
    await site.ask(preferences(), { form: shown });
    expect(await status()).toBe("confirmed");
    await site.ask(preferences(), { form: newsletterShown });
    expect(await status()).toBe("unsubscribed");
  });

  test("is not shown to a user whose address is not verified", async () => {
    await subscribe();
    const profiles = site.services.db.write.updateTable("profiles").set({ emailVerified: false });
    await profiles.where("id", "=", ada.id).execute();
    expect(await read()).not.toContain('value="newsletter"');
    await site.ask(preferences(), { form: newsletterShown });
    expect(await status()).toBe("confirmed");
  });
});

describe("GET and POST /mail-preferences/off", () => {
  test.each(["GET", "HEAD"])(
    "%s, as by a program that opens every link, ends nothing",
    async (method) => {
      for (const kind of [...ofStudents, ...ofStudents])
        expect((await site.ask(offOf(kind), { method })).status).toBe(200);
      expect(await wanted()).toEqual(all);
    },
  );

  // What else is a one-click request, and what is not: newsletter-list.test.ts.
  test("one click of a mail program ends this kind of email and no other, also after years", async () => {
    const off = offOf("lesson-opened");
    expect((await site.ask(off, { method: "POST", origin: null })).status).toBe(403);
    expect(await wanted()).toEqual(all);
    const page = preferences();
    site.clock.forwardDays(3650);
    expect((await site.ask(page)).status).toBe(200);
    for (let n = 0; n < 2; n += 1) {
      const answer = await site.ask(off, oneClick);
      expect([answer.status, await answer.text()]).toEqual([200, "You are unsubscribed."]);
    }
    expect(await wanted()).toEqual(["module-completed", "course-email"]);
  });

  test("on the page ends it too, and leads to the choice", async () => {
    const answer = await site.ask(offOf("module-completed"), { form: {} });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, preferences()]);
    expect(await wanted()).toEqual(["lesson-opened", "course-email"]);
    expect(await read(offOf("module-completed"))).toContain("These emails have stopped");
  });
});

describe("a link that is not the site's, or no more", () => {
  test("changes nothing and says so calmly", async () => {
    const tokens = [
      ...["none", "", "%00", ada.id, `${ada.id}.`, `${preferences().split("token=")[1]}x`],
      signToken(site.services.config.authSecret, "newsletter unsubscribe", ada.id),
      signToken("another secret that is long enough", "email preferences", ada.id),
    ];
    for (const token of tokens) {
      const page = `/mail-preferences?token=${token}`;
      const off = `/mail-preferences/off?kind=lesson-opened&token=${token}`;
      for (const [path, asking] of [
        ...([
          [page, {}],
          [page, { form: shown }],
        ] as const),
        ...([
          [off, {}],
          [off, { form: {} }],
          [off, oneClick],
        ] as const),
      ]) {
        const answer = await site.ask(path, asking);
        expect([path, answer.status]).toEqual([path, 400]);
        const text = await answer.text();
        if (asking === oneClick) {
          expect(text).toBe("This link is not one of ours.");
          continue;
        }
        expect(text).toContain("This link does not work");
        // Without the token, which would lead here again.
        expect(text).toContain('href="/mail-preferences"');
      }
    }
    expect(await wanted()).toEqual(all);
  });

  test("nor does one of a kind of email that always comes", async () => {
    for (const kind of ["", "receipt", "__proto__"]) {
      const path = offOf("lesson-opened").replace("kind=lesson-opened", `kind=${kind}`);
      for (const asking of [oneClick, {}]) expect((await site.ask(path, asking)).status).toBe(400);
    }
    expect(await wanted()).toEqual(all);
  });

  test("of a deleted account is 410, and done for a mail program", async () => {
    const [page, off] = [preferences(), offOf("lesson-opened")];
    await site.services.db.write.deleteFrom("profiles").where("id", "=", ada.id).execute();
    for (const [path, asking, status] of [
      [page, {}, 410],
      [page, { form: shown }, 410],
      [off, {}, 410],
      [off, oneClick, 200],
    ] as const)
      expect([path, (await site.ask(path, asking)).status]).toEqual([path, status]);
    expect(await read(page)).toContain("You get no more emails");
  });
});
