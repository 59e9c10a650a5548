import { writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import type { AddedPicture } from "~/features/pictures/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { pictureKeys } from "~/platform/pictures/keys.ts";
import { temporaryFolder } from "./config.ts";
import type { Person } from "./people.ts";
import type { TestSite } from "./site.ts";

/** A photograph as a file: hills by the water at `hue`, another one for each hue. */
export async function photograph(hue = 200, width = 1800, height = 1200): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 12" width="${width}" height="${height}">
    <rect width="18" height="12" fill="hsl(${hue} 40% 84%)"/>
    <path d="M0 7q4-3 8-1t10-2v8H0z" fill="hsl(${hue} 24% 58%)"/>
    <path d="M0 8.5q5-2 9-.5t9-1v5H0z" fill="hsl(${hue} 30% 42%)"/>
    <rect y="9.6" width="18" height="2.4" fill="hsl(${hue} 34% 66%)"/>
    <circle cx="12.4" cy="4" r=".7" fill="hsl(${hue} 60% 96%)"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 85 }).toBuffer();
}

export const file = (bytes: Uint8Array, name = "photo.jpg") =>
  new File([new Uint8Array(bytes)], name, { type: "image/jpeg" });

type Fields = Record<string, string | File>;

export function pictureForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Sends a form of pictures as a script does. */
export function sendPicture(site: Pick<TestSite, "ask">, as: Person | null, fields: Fields) {
  const headers = { accept: "application/json" };
  return site.ask("/admin/pictures", { as, body: pictureForm(fields), headers });
}

/** A new picture of a lesson. @throws unless the site takes it */
export async function addLessonPicture(
  site: Pick<TestSite, "ask">,
  as: Person,
  lessonId: string,
  bytes?: Uint8Array,
): Promise<AddedPicture> {
  const added = file(bytes ?? (await photograph()));
  const answer = await sendPicture(site, as, { use: "lesson", id: lessonId, file: added });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as AddedPicture;
}

/** A stored picture that a lesson shows, or a public one, and its address; its bytes are none. */
export async function storedPicture(services: Services, lessonId: string | null): Promise<string> {
  const { db, clock, storage } = services;
  const id = newId();
  const hash = id.replaceAll("-", "");
  const row = { id, hash, lessonId, width: 480, height: 320, widths: "[480]" };
  await db.write
    .insertInto("pictures")
    .values({ ...row, createdAt: clock.now() })
    .execute();
  const source = path.join(temporaryFolder(), "picture.webp");
  writeFileSync(source, "a picture");
  for (const key of pictureKeys({ ...row, widths: [480], forEmail: false }))
    await storage.putFile("pictures", key, source);
  if (lessonId === null) return `/pictures/${hash}-480.webp`;
  const use = { lessonId, pictureId: id, what: "text" as const };
  await db.write.insertInto("pictureUses").values(use).execute();
  return `/lesson-pictures/${id}-480.webp`;
}
