import { z } from "zod";
import { promptsText } from "~/features/courses/prompts.ts";
import { type Prompt, prompt } from "~/features/courses/schema.ts";
import { recordVersion, versionSubject } from "~/features/versions/versions.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Fields } from "./messages.ts";

const versionContent = z.object({
  title: z.string(),
  moduleId: z.string(),
  slug: z.string(),
  orderNum: z.number(),
  dripDay: z.number(),
  content: z.string(),
  prompts: z.array(prompt).nullable(),
});
type LessonContent = z.infer<typeof versionContent>;

/** Prompts with their keys in a fixed order, because engines return JSON keys in different ones. */
export function storedPrompts(prompts: readonly Prompt[] | null): Prompt[] | null {
  if (!prompts || prompts.length === 0) return null;
  return prompts.map(({ question, placeholder }) => ({ question, placeholder }));
}

function contentOf({ title, moduleId, slug, orderNum, dripDay, content, prompts }: LessonContent) {
  const words = { title, moduleId, slug, orderNum, dripDay, content };
  return JSON.stringify({ ...words, prompts: storedPrompts(prompts) });
}

/** Adds a version of a lesson that is saved. In the transaction that saves it. */
export async function recordLessonVersion(
  trx: Query,
  services: Services,
  id: string,
  { before, now }: { before: (LessonContent & { updatedAt: Date }) | null; now: LessonContent },
): Promise<void> {
  await recordVersion(trx, services, {
    subject: versionSubject("lesson", id),
    before: before && { content: contentOf(before), updatedAt: before.updatedAt },
    content: contentOf(now),
  });
}

/** The form's fields as a version has them; null for what this version of the site cannot read. */
export function readLessonVersion(json: string): Fields | null {
  const { data } = versionContent.safeParse(JSON.parse(json));
  if (!data) return null;
  const { prompts, orderNum, dripDay, ...texts } = data;
  const numbers = { orderNum: String(orderNum), dripDay: String(dripDay) };
  return { ...texts, ...numbers, prompts: promptsText(prompts) };
}
