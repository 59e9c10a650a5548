import { describe, expect, test } from "vitest";
import { unsubscribeLinks } from "~/features/accounts/email-preferences.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import { enrollManually } from "~/features/enrollments/manual-enrollments.server.ts";
import { saleEmail } from "~/features/payments/jobs.server.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { goodPassword, newAddress } from "../../support/accounts.ts";
import { createCourse } from "../../support/courses.ts";
import { emailsTo, emailTo, pathOf } from "../../support/mailbox.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { shopOfFile } from "../../support/stripe/shop.ts";
import { visitor } from "../../support/visitor.ts";

const shop = shopOfFile();

const admin = (name: string) => createPerson(shop.services, { role: "admin", name });
const sales = (to: Person) => shop.queued("payments.sale", to);
const newStudents = (to: Person) => shop.queued("enrollments.new-student", to);
/** Whether nothing waits to be sent to somebody. */
const isDone = async ({ id }: Person) => {
  const rows = shop.services.db.read.selectFrom("outbox").select("finishedAt");
  return (await rows.where("userId", "=", id).execute()).every(({ finishedAt }) => finishedAt);
};

describe("the email about a sale", () => {
  test("comes once to each administrator, however often Stripe tells; it is the new student's, too", async () => {
    const vera = await admin("Vera");
    const before = { sales: await sales(shop.coach), students: await newStudents(shop.coach) };
    const buyer = await createPerson(shop.services, { name: "Mary Anning" });
    const bought = await shop.buy({ buyer });
    const event = shop.lastEvent("checkout.session.completed");
    await Promise.all(Array.from({ length: 5 }, () => shop.tellAgain(event)));
    expect(await sales(shop.coach)).toBe(before.sales + 1);
    expect(await sales(vera)).toBe(1);
    expect(await newStudents(shop.coach)).toBe(before.students);
    const { subject, text, source } = await shop.emailAbout(vera, /^Sold: /);
    expect(subject).toBe("Sold: “A course”");
    for (const words of [
      `Student: Mary Anning, ${buyer.email}`,
      "Paid: $197.00",
      `/admin/payments/${bought.id}`,
      `/admin/students/${buyer.id}`,
    ])
      expect(text).toContain(words);
    expect(source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  });

  test("does not come for a payment that opened nothing: its issue tells", async () => {
    const vera = await admin("Vera");
    await shop.payOnceMore(await shop.buy());
    expect(await sales(vera)).toBe(1);
    expect(await shop.queued("payments.issue", vera)).toBe(1);
  });

  test("says that the course is open only while the payment holds it", async () => {
    const bought = await shop.buy();
    const [now, later] = [await admin("Now"), await admin("Later")];
    const { services } = shop;
    const sell = async ({ id: userId }: Person) => {
      const payload = { paymentId: bought.id, userId };
      await enqueue(services.db.write, saleEmail, payload, {
        now: shop.clock.now(),
        to: { userId },
      });
      services.wakeWorker();
    };
    await sell(now);
    expect((await shop.emailAbout(now, /^Sold: /)).text).toContain("It is open to the student");
    await shop.refund(bought);
    await sell(later);
    const { text } = await shop.emailAbout(later, /^Sold: /);
    expect(text).toContain("“A course” was bought. The receipt is on its way.");
    expect(text).toContain("State now: Refunded");
  });

  test("is switched off by one click for one administrator, and sent to no former one", async () => {
    const [vera, former] = [await admin("Vera"), await admin("Former")];
    const { off } = unsubscribeLinks(shop.services, { userId: vera.id, kind: "sale" });
    const path = off.slice(shop.services.config.appUrl.length);
    const oneClick = { form: { "List-Unsubscribe": "One-Click" }, origin: null };
    expect((await shop.ask(path, oneClick)).status).toBe(200);
    await shop.services.db.write
      .updateTable("profiles")
      .set({ role: "student" })
      .where("id", "=", former.id)
      .execute();
    const keen = await admin("Keen");
    await shop.buy();
    await shop.emailAbout(keen, /^Sold: /);
    expect(await sales(former)).toBe(0);
    await expect.poll(() => isDone(vera)).toBe(true);
    expect(emailsTo(shop.services.config, vera.email)).toEqual([]);
  });
});

describe("the email about a new student", () => {
  test("comes for one by hand, by invitation and in a free course, once each", async () => {
    const { services } = shop;
    const vera = await admin("Vera");
    const { id: productId } = await createCourse(services, [[{}]], { title: "One evening" });
    const { id: userId, email } = await createPerson(services, { name: "By Hand" });
    for (let n = 0; n < 2; n += 1)
      await enrollManually(services, { userId, productId, onlyActive: true });
    const first = await shop.emailAbout(vera, /^A new student/, "How: enrolled by hand");
    expect(first.subject).toBe("A new student in “One evening”");
    expect(first.text).toContain(`Student: By Hand, ${email}`);
    expect(first.text).toContain(`/admin/students/${userId}`);

    const invited = newAddress();
    const inviting = { email: invited, name: null, productId, invitedBy: shop.coach.id };
    await inviteStudent(services, inviting);
    const path = pathOf(await emailTo(services.config, invited));
    await visitor(shop).ask(path, { form: { name: "Invited", password: goodPassword } });
    await shop.emailAbout(vera, /^A new student/, "How: accepted an invitation");

    const free = await createCourse(services, [[{}]], { priceCents: 0 });
    const buyer = await createPerson(services);
    await shop.checkout(buyer, free.id);
    await shop.checkout(buyer, free.id);
    await shop.emailAbout(vera, /^A new student/, "How: enrolled, the course is free");
    expect(await newStudents(vera)).toBe(3);
  });
});

describe("GET and POST /mail-preferences, of an administrator", () => {
  const boxes = async (as: Person) =>
    [
      ...(await shop.read("/mail-preferences", as)).matchAll(/name="kind-shown" value="([\w-]+)"/g),
    ].map(([, kind]) => kind);
  const declined = async ({ id }: Person) => {
    const rows = shop.services.db.read.selectFrom("declinedEmails").select("kind");
    return (await rows.where("userId", "=", id).execute()).map(({ kind }) => kind);
  };

  test("has the box for sales, which a student has not and cannot decline", async () => {
    const [vera, student] = [await admin("Vera"), await createPerson(shop.services)];
    expect(await boxes(vera)).toContain("sale");
    expect(await boxes(student)).not.toContain("sale");
    const form: [string, string][] = [["kind-shown", "sale"]];
    for (const as of [vera, student]) await shop.ask("/mail-preferences", { as, form });
    expect([await declined(vera), await declined(student)]).toEqual([["sale"], []]);
  });
});
