import { z } from "zod";
import { recordVersion, versionSubject } from "~/features/versions/versions.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { lessonEmailModes } from "./schema.ts";

const versionContent = z.object({
  title: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  priceCents: z.number(),
  lessonEmails: lessonEmailModes,
  comingSoon: z.boolean(),
  active: z.boolean(),
});
export type CourseContent = z.infer<typeof versionContent>;

function contentOf(course: CourseContent): string {
  const { title, slug, description, priceCents, lessonEmails, comingSoon, active } = course;
  const texts = { title, slug, description, priceCents };
  return JSON.stringify({ ...texts, lessonEmails, comingSoon, active });
}

/** Adds a version of a course that is saved. In the transaction that saves it. The cover is none of
 * it, as it is none of the form. */
export async function recordCourseVersion(
  trx: Query,
  services: Services,
  id: string,
  { before, now }: { before: (CourseContent & { updatedAt: Date }) | null; now: CourseContent },
): Promise<void> {
  await recordVersion(trx, services, {
    subject: versionSubject("course", id),
    before: before && { content: contentOf(before), updatedAt: before.updatedAt },
    content: contentOf(now),
  });
}

/** A course as a version has it; null for what this version of the site cannot read. */
export function readCourseVersion(json: string): CourseContent | null {
  return versionContent.safeParse(JSON.parse(json)).data ?? null;
}
