import { createCourse } from "../support/courses.ts";
import { createCoach } from "./support/lessons.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";
import { refuseWrites } from "./support/trouble.ts";

/** What is made on the desk, and cannot be stored: where, with which words, and what is said. */
const forms = [
  {
    what: "course",
    path: "/admin/courses/new",
    table: "products",
    fields: { Title: "Water", Slug: "water", Price: "197" },
    button: "Create course",
  },
  {
    what: "module",
    path: "/admin/modules/new",
    table: "modules",
    fields: { Title: "The first days" },
    button: "Create module",
  },
  {
    what: "lesson",
    path: "/admin/lessons/new",
    table: "lessons",
    fields: { Title: "Keys", Slug: "keys", Text: "Words that took an evening." },
    button: "Create lesson",
  },
] as const;

for (const { what, path, table, fields, button } of forms)
  test(`a ${what} that cannot be created says so, and the words stay`, async ({
    site,
    device,
    watch,
  }) => {
    watch.expect(/^answer 500: POST \/admin\//);
    const { services } = site;
    await createCourse(services, [[{}]], { title: "Elements", slug: "elements" });
    const page = await device({ as: await createCoach(services) });
    await page.goto(path);
    await hydrated(page);
    const form = page.getByRole("main");
    for (const [label, words] of Object.entries(fields))
      await form.getByLabel(label, { exact: true }).fill(words);
    if (what === "module") await form.getByLabel("Course").selectOption({ label: "Elements" });
    if (what === "lesson") await form.getByLabel("Module").selectOption({ label: "Module 1" });
    const mend = await refuseWrites(services, table);
    const make = page.getByRole("button", { name: button, exact: true });
    await make.click();
    await expect(toast(page, "Error")).toContainText(`Failed to create ${what}`);
    await look(page, `admin-${what}-not-created`, { night: true });
    for (const [label, words] of Object.entries(fields))
      await expect(form.getByLabel(label, { exact: true })).toHaveValue(words);
    await mend();
    await make.click();
    const name = what.replace(/^./, (letter) => letter.toUpperCase());
    await expect(toast(page, `${name} created successfully`)).toBeVisible();
  });
