import { fileAddress, type LessonFile } from "~/features/lesson-media/files.server.ts";
import { fileFacts } from "~/features/lesson-media/files.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { downloadMessages } from "./messages.ts";
import { readableLesson } from "./playback.server.ts";

/** A lesson's downloads as its page shows them: `facts` is 'PDF, 2.4 MB'. The links hold no signature:
 * they work as long as the lesson is open, see {@link getDownload}. */
export function showDownloads(files: LessonFile[], { slug, key }: { slug: string; key: string }) {
  return files.map(({ id, title, ...file }) => ({
    title,
    facts: fileFacts(file),
    href: `/courses/${slug}/learn/file?${new URLSearchParams({ lesson: key, file: id })}`,
  }));
}

type Asked = {
  viewer: Pick<CurrentUser, "id" | "role">;
  slug: string;
  key: string | null;
  fileId: string;
};

/** A lesson's file for a viewer who may read the lesson: an address for an hour.
 * @throws {Refused} as {@link readableLesson}; unavailable if storage does not answer */
export async function getDownload(services: Services, asked: Asked): Promise<string> {
  const lesson = await readableLesson(services, asked);
  const file = await fileAddress(services, { lessonId: lesson.id, fileId: asked.fileId });
  if (!file) throw new Refused("not_found", downloadMessages.gone.text);
  if (!file.url) throw new Refused("unavailable", downloadMessages.unavailable.text);
  return file.url;
}
