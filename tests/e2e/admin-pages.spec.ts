import type { Services } from "~/platform/http/services.ts";
import { recordPayment } from "../support/payments.ts";
import { createPerson } from "../support/people.ts";
import { deskPages } from "./support/desk-pages.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";
import { weigh } from "./support/weigh.ts";

const kib = 1024;

/** An id of the thing that a page is about, from the sample courses and one student. */
async function anIdFor(services: Services, pattern: string, studentId: string): Promise<string> {
  const { read } = services.db;
  const [, , noun] = pattern.split("/");
  if (noun === "students") return studentId;
  if (noun === "enrollments") {
    const one = read.selectFrom("enrollments").select("id").where("userId", "=", studentId);
    return (await one.executeTakeFirstOrThrow()).id;
  }
  if (noun === "payments") {
    const course = await read.selectFrom("products").select("id").executeTakeFirstOrThrow();
    const paid = { userId: studentId, productId: course.id, attention: "already_enrolled" };
    return recordPayment(services, paid);
  }
  const table = { courses: "products", modules: "modules", lessons: "lessons" } as const;
  const from = read
    .selectFrom(table[noun as keyof typeof table])
    .select("id")
    .orderBy("id");
  return (await from.executeTakeFirstOrThrow()).id;
}

test("there are pages to look at", () => expect(deskPages.length).toBeGreaterThan(12));

for (const pattern of deskPages)
  test(`${pattern} is whole, light and readable in every light`, async ({ site, device }) => {
    const { services } = site;
    const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
    const student = await createStudent(services, { courses: ["blue-dot-method"], days: 9 });
    const id = pattern.includes(":id") ? await anIdFor(services, pattern, student.id) : "";
    const path = pattern.replace(":id", id);
    const page = await device({ as: admin });
    const { script } = await weigh(page, path);
    expect(script, "compressed bytes of scripts").toBeLessThanOrEqual(200 * kib);
    await hydrated(page);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
    const name = pattern.slice(1).replaceAll("/", "-").replace(":", "");
    await look(page, `desk-${name}`, { widths: [320, 360, 1280], night: true });
  });
