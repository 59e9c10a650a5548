import { readFileSync } from "node:fs";
import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

const lists = [
  ["/admin?q=calm", "courses", "title,slug,price,active,lessons", "7 Days of Calm"],
  ["/admin/modules", "modules", "title,course,order,lessons", "The Blue Dot Method"],
  ["/admin/lessons", "lessons", "title,slug,course,module", "The point the needle rests on"],
  ["/admin/enrollments", "enrollments", "name,email,course", "The Blue Dot Method"],
  ["/admin/students?sort=name", "students", "name,email,confirmed", "Ada"],
] as const;

test("every list can be had as a file, as it is shown", async ({ site, device }) => {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  await createStudent(site.services);
  const page = await device({ as: admin });
  for (const [path, name, headings, words] of lists) {
    await page.goto(path);
    await hydrated(page);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^${name}-\\d{4}-\\d\\d-\\d\\d\\.csv$`),
    );
    const text = readFileSync(await download.path(), "utf8");
    expect(text.startsWith(`\ufeff${headings}`)).toBe(true);
    expect(text).toContain(words);
    // The page stands where it was.
    expect(new URL(page.url()).pathname).toBe(path.split("?")[0]);
  }
});
