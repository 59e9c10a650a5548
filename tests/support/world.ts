import { writeFileSync } from "node:fs";
import path from "node:path";
import { enroll } from "~/features/enrollments/commands.server.ts";
import type { Services } from "~/platform/services.ts";
import { temporaryFolder } from "./config.ts";
import { createCourse } from "./courses.ts";
import { createPerson, type Person } from "./people.ts";

/** Words that stand in the world's lessons, to be looked for in answers. */
export const marks = {
  openText: "words-of-the-open-lesson",
  lockedText: "words-of-the-locked-lesson",
  lockedQuestion: "question-of-the-locked-lesson",
  lockedMedia: "media-of-the-locked-lesson",
  othersJournal: "journal-of-somebody-else",
  othersDraft: "draft-of-somebody-else",
} as const;

export const roles = ["anonymous", "student", "enrolled", "administrator"] as const;
export type Role = (typeof roles)[number];

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * A small site with everything that roles can differ in: an active, an inactive and a
 * deleted course, each with an open and a locked lesson, and somebody else who studies there.
 */
export async function createWorld(services: Services) {
  const sample = path.join(temporaryFolder(), "sound.mp3");
  writeFileSync(sample, "the sound of water");
  await services.storage.putFile("course-audio", "open/sound.mp3", sample);
  await services.storage.putFile("course-audio", `${marks.lockedMedia}/sound.mp3`, sample);
  await services.storage.putFile("course-videos", `${marks.lockedMedia}/film.mp4`, sample);
  const make = () => createCourse(services, [lessons], { title: "A course of the world" });
  const [active, inactive, deleted] = [await make(), await make(), await make()];
  const change = (id: string) => services.db.write.updateTable("products").where("id", "=", id);
  await change(inactive.id).set({ active: false }).execute();
  await change(deleted.id).set({ deletedAt: services.clock.now() }).execute();
  const other = await createPerson(services, { name: "Grace" });
  await enroll(services, { userId: other.id, productId: active.id });

  /** Somebody new of this role; null for nobody. */
  async function person(role: Role): Promise<Person | null> {
    if (role === "anonymous") return null;
    if (role === "administrator") return createPerson(services, { role: "admin" });
    const made = await createPerson(services);
    if (role === "enrolled")
      for (const { id } of [active, inactive, deleted])
        await enroll(services, { userId: made.id, productId: id });
    return made;
  }

  return { active, inactive, deleted, other, person };
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
