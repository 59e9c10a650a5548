import type { SecurityAlertKind } from "~/features/auth/messages.ts";
import { invitationDigest } from "~/features/enrollments/invitations.server.ts";
import { subscriberId } from "~/features/newsletter/subscribers.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { SubscriberStatus } from "~/platform/db/newsletter-tables.ts";
import type { LessonEmailSetting } from "~/platform/db/tables.ts";
import { accountSamples } from "./account-samples.ts";
import { paymentSamples } from "./payment-samples.ts";
import { blueDot, type Sample, sevenDays, type World } from "./world.ts";

/** One email of every kind that a job of app/server/jobs.ts sends; several where it has several faces. */
export const samples: readonly Sample[] = [
  {
    kind: "accounts.verify-email",
    when: "After signing up, and again on request.",
    about: (world) => toAda(world, "/auth/verify?token=sample"),
  },
  {
    kind: "accounts.reset-password",
    when: "When somebody asks for a new password.",
    about: (world) => toAda(world, "/auth/reset?token=sample"),
  },
  {
    kind: "accounts.already-registered",
    when: "When somebody signs up with an address that has an account.",
    about: (world) => toAda(world, "/auth/forgot"),
  },
  ...accountSamples,
  {
    kind: "accounts.method-changed",
    when: "When Google or another provider was linked to an account.",
    about: (world) => methodChanged(world, "linked"),
  },
  {
    kind: "accounts.method-changed",
    when: "When one was unlinked.",
    about: (world) => methodChanged(world, "unlinked"),
  },
  {
    kind: "accounts.security-change",
    when: "When an authenticator app, a passkey or backup codes change, or codes are tried that do not fit.",
    about: (world) => securityChange(world, { change: "app-added", name: "My phone" }),
  },
  {
    kind: "accounts.security-change",
    when: "The same when a backup code was used.",
    about: (world) => securityChange(world, { change: "code-used", left: 2 }),
  },
  { kind: "enrollments.invitation", when: "When you invite somebody.", about: invitation },
  {
    kind: "enrollments.welcome",
    when: "After an enrollment, bought or given.",
    about: async (world) => {
      const { id } = await world.course(blueDot);
      return { enrollmentId: await world.enroll(id) };
    },
  },
  {
    kind: "enrollments.new-student",
    when: "To you, when somebody is enrolled without paying.",
    about: async (world) => {
      const { id } = await world.course(blueDot);
      return {
        enrollmentId: await world.enroll(id),
        userId: await world.coach(),
        way: "invitation",
      };
    },
  },
  ...paymentSamples,
  {
    kind: "learning.module-completed",
    when: "About an hour after the last lesson of a module, while the next one is locked.",
    about: (world) => completed(world, blueDot, 0),
  },
  {
    kind: "learning.module-completed",
    when: "The same at the end of a course.",
    about: (world) => completed(world, sevenDays, -1),
  },
  {
    kind: "learning.lesson-opened",
    when: "In the morning, at most once a day, when something has opened.",
    about: (world, id) => opened(world, id, { slug: blueDot, dripDay: 7, mails: "notice" }),
  },
  {
    kind: "learning.lesson-opened",
    when: "The same in a course that sends its lessons.",
    about: (world, id) => opened(world, id, { slug: sevenDays, dripDay: 1, mails: "lesson" }),
  },
  {
    kind: "learning.first-lessons",
    when: "After an enrollment in a course that sends its lessons.",
    about: async ({ ada, course, enroll }) => {
      const { id: productId } = await course(sevenDays, "lesson");
      await enroll(productId);
      return { userId: ada.id, productId };
    },
  },
  {
    kind: "course-emails.send",
    when: "When you write to the students of a course.",
    about: courseEmail,
  },
  {
    kind: "newsletter.confirm",
    when: "After a newsletter signup.",
    about: (world) => subscriber(world, "pending"),
  },
  {
    kind: "newsletter.confirm-imported",
    when: "To an address of a file that you imported, which has no date of consent.",
    about: (world) => subscriber(world, "pending"),
  },
  {
    kind: "newsletter.welcome",
    when: "After it was confirmed.",
    about: (world) => subscriber(world, "confirmed"),
  },
  {
    kind: "newsletter.issue",
    when: "An issue of the newsletter.",
    about: issue,
  },
  {
    kind: "newsletter.digest",
    when: "In the first days of a month, to those who want one email a month.",
    about: digest,
  },
  {
    kind: "newsletter.reminder",
    when: "After one more signup of an address that is on the list.",
    about: (world) => subscriber(world, "confirmed"),
  },
];

function toAda({ ada, services }: World, path: string) {
  const to = { name: ada.name, address: ada.email };
  return { to, link: services.config.appUrl + path };
}

const timeZone = "America/New_York";

function methodChanged({ ada, now }: World, change: "linked" | "unlinked") {
  const to = { name: ada.name, address: ada.email };
  return { to, change, method: "Google", at: now.toISOString(), timeZone };
}

type Changed = { change: SecurityAlertKind; name?: string; left?: number };

function securityChange({ ada, now }: World, { change, name, left }: Changed) {
  return {
    to: { name: ada.name, address: ada.email },
    change,
    at: now.toISOString(),
    timeZone,
    name: name ?? null,
    left: left ?? null,
  };
}

async function invitation({ ada, course, services, now }: World) {
  const { id: productId } = await course(blueDot);
  const [id, token] = [newId(), "sample-token"];
  const values = { id, email: "grace@example.com", name: "Grace", productId, createdAt: now };
  const expiresAt = new Date(now.getTime() + 14 * 24 * 3600_000);
  await services.db.write.deleteFrom("invitations").execute();
  await services.db.write
    .insertInto("invitations")
    .values({ ...values, invitedBy: ada.id, tokenHash: invitationDigest(token), expiresAt })
    .execute();
  return { id, token };
}

/** All lessons up to the end of a module are done; -1 is the last module. */
async function completed({ ada, course, enroll, services, now }: World, slug: string, at: number) {
  const { id, moduleIds } = await course(slug);
  await enroll(id, at < 0 ? 60 : 6);
  const moduleId = moduleIds.at(at) ?? "";
  const done = moduleIds.slice(0, moduleIds.indexOf(moduleId) + 1);
  const lessons = await services.db.read
    .selectFrom("lessons")
    .select("id")
    .where("moduleId", "in", done)
    .execute();
  for (const lesson of lessons)
    await services.db.write
      .insertInto("progress")
      .values({
        userId: ada.id,
        lessonId: lesson.id,
        journalAnswer: null,
        createdAt: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return { userId: ada.id, moduleId };
}

type Opening = { slug: string; dripDay: number; mails: LessonEmailSetting };

/** It is the morning on which the lessons of a drip day have opened. */
async function opened(
  { ada, course, enroll, services }: World,
  emailId: string,

  opening: Opening,
) {
  const { slug, dripDay, mails } = opening;
  const { id, moduleIds } = await course(slug, mails);
  const enrollmentId = await enroll(id, dripDay);
  const day = "2026-11-22";
  const { db } = services;
  const lessons = await db.read
    .selectFrom("lessons")
    .select("id")
    .where("moduleId", "in", moduleIds)
    .where("dripDay", "=", dripDay)
    .execute();
  await db.write.deleteFrom("announcedLessons").execute();
  for (const lesson of lessons)
    await db.write
      .insertInto("announcedLessons")
      .values({ enrollmentId, lessonId: lesson.id, emailId, day })
      .execute();
  return { userId: ada.id, day };
}

async function courseEmail({ ada, course, enroll, services, now }: World) {
  const { id: productId } = await course(blueDot);
  await enroll(productId);
  const [id, subject] = [newId(), "A call on Thursday, if you like"];
  const body =
    "On Thursday evening I will be on a call for an hour, for everybody in this course.\n\nYou need not say anything. The link is\nhttps://bluedot.example/coaching\n\nIf Thursday is not a day for company, leave it.";
  const values = { id, productId, subject, body, createdAt: now };
  await services.db.write.insertInto("courseEmails").values(values).execute();
  return { emailId: id, userId: ada.id };
}

const body = `The coat still hangs in the hallway. I walk past it each morning, and some days I say hello.

## It may stay

You do not have to decide anything about *things* yet. What helped me:

- Leave the coat where it is for as long as you like.
- Put one thing of theirs where you see it from your chair.

> A thing is not the person. It is where your hand remembers them.

[Read more about the first weeks](/courses "button")`;

async function issue(world: World) {
  const { services, now } = world;
  const { subscriberId: id } = await subscriber(world, "confirmed");
  const issueId = newId();
  const words = { subject: "The coat in the hallway", preview: "It may hang there.", body };
  await services.db.write
    .insertInto("newsletterIssues")
    .values({
      ...{ id: issueId, ...words, html: "", slug: `a-coat-${issueId}`, state: "sent" },
      ...{ segment: JSON.stringify({ kind: "all" }), startedAt: now },
      ...{ createdAt: now, updatedAt: now },
    })
    .execute();
  const delivery = { issueId, subscriberId: id, state: "refused" as const, dueAt: now };
  await services.db.write.insertInto("newsletterDeliveries").values(delivery).execute();
  return { issueId, subscriberId: id };
}

async function digest(world: World) {
  const { services } = world;
  const { subscriberId: id } = await subscriber(world, "confirmed");
  const { db } = services;
  await db.write.updateTable("subscribers").set({ monthly: true }).where("id", "=", id).execute();
  const of = (slug: string, subject: string, preview: string, at: Date) => ({
    ...{ id: newId(), slug, subject, preview, body: preview, html: `<p>${preview}</p>` },
    ...{ segment: JSON.stringify({ kind: "all" }), state: "sent" as const },
    ...{ startedAt: at, createdAt: at, updatedAt: at },
  });
  const issues = [
    of(
      ...(["the-coat", "The coat in the hallway"] as const),
      "Why it may hang there for as long as it likes.",
      new Date("2026-10-06T12:00:00Z"),
    ),
    of(
      ...(["the-first-frost", "The first frost"] as const),
      "A season that they do not see.",
      new Date("2026-10-13T12:00:00Z"),
    ),
  ];
  await db.write
    .insertInto("newsletterIssues")
    .values(issues)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { subscriberId: id, month: "2026-10" };
}

async function subscriber({ services, now }: World, status: SubscriberStatus) {
  const email = `${status}@example.com`;
  const id = subscriberId(services, email);
  const times = { askedAt: now, createdAt: now, confirmedAt: now };
  await services.db.write
    .insertInto("subscribers")
    .values({
      ...{ id, email, emailKey: email, firstName: "Ada", status },
      ...{ generation: 1, emailTimes: "[]", ...times },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { subscriberId: id, generation: 1 };
}
