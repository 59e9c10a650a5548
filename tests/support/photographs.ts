import sharp from "sharp";
import { newId } from "~/platform/db/ids.ts";
import type { TestLesson } from "./courses.ts";
import type { Person } from "./people.ts";
import type { TestSite } from "./site.ts";

/** A page photographed with a phone on its side: its place on earth stands in it. */
export async function takePhotograph({ width = 1200, height = 900 } = {}): Promise<Blob> {
  const page = sharp({ create: { width, height, channels: 3, background: "#f4efe2" } });
  const exif = {
    IFD0: { Model: "a telling phone" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1", GPSLongitude: "0/1 7/1 0/1" },
  };
  const bytes = await page.withMetadata({ orientation: 6 }).withExif(exif).jpeg().toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });
}

export const photographAt = (id: string): string => `/my-courses/journal/picture/${id}`;

type Sending = { id?: string; picture?: Blob | string; userId?: string };

/** Sends a photograph as the page's script does. */
export async function sendPhotograph(
  site: Pick<TestSite, "ask">,
  as: Person | null,
  { id: lessonId }: Pick<TestLesson, "id">,
  { id = newId(), userId = as?.id ?? "", ...more }: Sending = {},
): Promise<Response> {
  return site.ask(photographAt(id), {
    as,
    headers: { accept: "application/json" },
    multipart: [
      ["userId", userId],
      ["lessonId", lessonId],
      ["picture", more.picture ?? (await takePhotograph())],
    ],
  });
}
