import { writeFileSync } from "node:fs";
import path from "node:path";
import { suspend } from "~/features/accounts/suspension.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { invitationDigest } from "~/features/enrollments/invitations.server.ts";
import { expiryOf } from "~/features/enrollments/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { temporaryFolder } from "./config.ts";
import { createCourse } from "./courses.ts";
import { listFile } from "./lesson-files.ts";
import { cookieOf, createPerson, type Person } from "./people.ts";

/** Words that stand in the world's lessons, to be looked for in answers. */
export const marks = {
  openText: "words-of-the-open-lesson",
  lockedText: "words-of-the-locked-lesson",
  lockedQuestion: "question-of-the-locked-lesson",
  lockedMedia: "media-of-the-locked-lesson",
  othersJournal: "journal-of-somebody-else",
  othersDraft: "draft-of-somebody-else",
} as const;

/**
 * Who asks. `enrolled` is a student of the world's courses; `other` is one too, and asks for what
 * is someone else's. `suspended` was an administrator who studied, and kept her cookie.
 */
export const roles = [
  "anonymous",
  "student",
  "enrolled",
  "other",
  "administrator",
  "suspended",
] as const;
export type Role = (typeof roles)[number];

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * A small site with everything that roles can differ in: an active, an inactive and a
 * deleted course, each with an open and a locked lesson, and someone else who studies there.
 */
export async function createWorld(services: Services) {
  const sample = path.join(temporaryFolder(), "sound.mp3");
  writeFileSync(sample, "the sound of water");
  await services.storage.putFile("course-audio", "open/sound.mp3", sample);
  await services.storage.putFile("course-audio", `${marks.lockedMedia}/sound.mp3`, sample);
  await services.storage.putFile("course-videos", `${marks.lockedMedia}/film.mp4`, sample);
  const make = () => createCourse(services, [lessons], { title: "A course of the world" });
  const [active, inactive, deleted] = [await make(), await make(), await make()];
  for (const { slug, id } of [active, inactive, deleted].flatMap(({ modules }) =>
    modules.flatMap((module) => module.lessons),
  )) {
    const key = `${slug === "open" ? "open" : marks.lockedMedia}/${id}.pdf`;
    await services.storage.putFile("course-files", key, sample);
    await listFile(services, id, { key, title: slug === "open" ? "Workbook" : marks.lockedMedia });
  }
  const videoCaptions = `WEBVTT\n\n00:00.000 --> 00:02.000\n${marks.lockedText}\n`;
  await services.db.write
    .updateTable("lessons")
    .set({ videoCaptions })
    .where("slug", "=", "locked")
    .execute();
  const change = (id: string) => services.db.write.updateTable("products").where("id", "=", id);
  await change(inactive.id).set({ active: false }).execute();
  await change(deleted.id).set({ deletedAt: services.clock.now() }).execute();
  const other = await createPerson(services, { name: "Grace" });
  await enroll(services, { userId: other.id, productId: active.id });
  const lea = await createPerson(services, { name: "Lea" });
  await enroll(services, { userId: lea.id, productId: active.id });
  const leaving = await services.db.read
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", lea.id)
    .executeTakeFirstOrThrow();
  const invitation = await invited(services, active.id, other.id);

  /** Someone new of this role; null for no one. */
  async function person(role: Role): Promise<Person | null> {
    if (role === "anonymous") return null;
    if (role === "administrator") return createPerson(services, { role: "admin" });
    const made = await createPerson(services, {
      role: role === "suspended" ? "admin" : "student",
    });
    if (role !== "student") {
      // Without welcome emails, and in the deleted course as if it had been there then.
      const createdAt = services.clock.now();
      const enrollments = [active, inactive, deleted].map(({ id: productId }) => ({
        ...{ id: newId(), userId: made.id, productId, createdAt },
      }));
      await services.db.write.insertInto("enrollments").values(enrollments).execute();
    }
    if (role !== "suspended") return made;
    const cookie = await cookieOf(services, made.id);
    const { id: by } = await createPerson(services, { role: "admin" });
    await suspend(services, { id: made.id, reason: "", by });
    return { ...made, cookie };
  }

  return { active, inactive, deleted, other, leaving, invitation, person };
}

/** Someone without an account is asked into a course. */
async function invited({ db, clock }: Services, productId: string, invitedBy: string) {
  const [token, email] = ["token-of-the-invitation", "invited@example.com"];
  const id = newId();
  const now = clock.now();
  const tokenHash = invitationDigest(token);
  const values = { id, email, productId, tokenHash, invitedBy, createdAt: now };
  await db.write
    .insertInto("invitations")
    .values({ ...values, expiresAt: expiryOf(now) })
    .execute();
  return { id, token, email };
}

const lessons = [
  {
    slug: "open",
    title: "The open lesson",
    content: marks.openText,
    prompts: [{ question: "How was it?", placeholder: "Take your time" }],
    audioKey: "open/sound.mp3",
  },
  {
    slug: "locked",
    title: "The locked lesson",
    dripDay: 7,
    content: marks.lockedText,
    prompts: [{ question: marks.lockedQuestion, placeholder: "" }],
    audioKey: `${marks.lockedMedia}/sound.mp3`,
    muxPlaybackId: `${marks.lockedMedia}/film.mp4`,
  },
];
