import type { Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { createPerson } from "../support/people.ts";
import { photograph } from "../support/pictures.ts";
import {
  createCoach,
  createLesson,
  openAdmin,
  preview,
  saveLesson,
  text,
} from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const pictureLine = /!\[\]\(picture:[\da-f-]{36}\)/;

/** Pastes or drops a picture as a browser does. */
async function give(page: Page, how: "paste" | "drop", name: string, bytes: Buffer) {
  await text(page).evaluate(
    (field, { how, name, base64 }) => {
      const data = new DataTransfer();
      const all = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      data.items.add(new File([all], name, { type: "image/jpeg" }));
      const about = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        how === "paste"
          ? new ClipboardEvent("paste", { ...about, clipboardData: data })
          : new DragEvent("drop", { ...about, dataTransfer: data }),
      );
    },
    { how, name, base64: bytes.toString("base64") },
  );
}

test("pictures are chosen, pasted and dropped into a lesson, described, and seen by a student", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: POST \/admin\/pictures/);
  const lesson = await createLesson(site.services);
  const [water, hills, sky] = await Promise.all([10, 120, 220].map((hue) => photograph(hue)));
  const page = await device({ as: await createCoach(site.services) });
  await openAdmin(page, site.url + lesson.path);
  const alt = (number: number) => page.getByLabel(`What does picture ${number} show?`);

  await test.step("chosen with the button; its place is where the caret is", async () => {
    await text(page).fill("By the river.\n\nThe last words.");
    await text(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(3, 3));
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Picture", exact: true }).click();
    await (await chooser).setFiles({
      name: "water [1].jpg",
      mimeType: "image/jpeg",
      buffer: water ?? Buffer.alloc(0),
    });
    await expect(text(page)).toHaveValue(
      /^By the river\.\n\n!\[\]\(picture:[\da-f-]{36}\)\n\nThe last words\.$/,
    );
    await alt(1).pressSequentially("Water, [still] and grey ");
    await expect(text(page)).toHaveValue(/!\[Water, \\\[still\\\] and grey\]\(picture:/);
    await expect(preview(page).getByAltText("Water, [still] and grey")).toBeVisible();
  });

  await test.step("while a picture is on its way, typing goes on and a save waits", async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/admin/pictures", async (route) => {
      await held;
      await route.continue();
    });
    await text(page).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await give(page, "paste", "hills.jpg", hills ?? Buffer.alloc(0));
    await expect(page.getByText("Uploading hills.jpg...")).toBeVisible();
    await expect(page.getByRole("button", { name: "Uploading a picture..." })).toBeVisible();
    await page.keyboard.type("Typed meanwhile.");
    goOn();
    await expect(text(page)).toHaveValue(
      new RegExp(`${pictureLine.source}\\n\\nTyped meanwhile\\.$`),
    );
    await page.unroute("**/admin/pictures");
    await text(page).evaluate((field: HTMLTextAreaElement) =>
      field.setRangeText("", field.value.indexOf("Typed"), field.value.length, "end"),
    );
    await alt(2).fill("Hills in the evening");
  });

  await test.step("without a connection nothing is lost, and it can be tried again", async () => {
    await page.route("**/admin/pictures", (route) => route.abort());
    await give(page, "drop", "sky.jpg", sky ?? Buffer.alloc(0));
    await expect(page.getByText(/sky\.jpg.*cannot be reached just now/)).toBeVisible();
    await expect(text(page)).not.toHaveValue(/uploading-/);
    await look(page, "lesson-pictures", { night: true });
    await page.unroute("**/admin/pictures");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(alt(3)).toBeVisible();
    await expect(preview(page).locator("img")).toHaveCount(3);
    await saveLesson(page);
  });

  await test.step("what is no picture cannot be tried again, and the 21st waits for another choice", async () => {
    await page.route("**/admin/pictures", (route) => route.abort());
    const files = Array.from({ length: 22 }, (_, n) => ({
      name: `${n + 1}.jpg`,
      mimeType: "image/jpeg",
      buffer: sky ?? Buffer.alloc(0),
    }));
    files[0] = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") };
    await page.locator("input[type=file][multiple][hidden]").first().setInputFiles(files);
    await expect(page.getByText("notes.txt: This is not a picture.")).toBeVisible();
    await expect(page.getByText("21.jpg: 20 pictures come at a time.")).toBeVisible();
    await expect(page.getByText("22.jpg")).toHaveCount(0);
    await expect(page.getByText(/cannot be reached just now/)).toHaveCount(19);
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(20);
    await page.unroute("**/admin/pictures");
  });

  await test.step("a student sees them on a phone, and nothing jumps", async () => {
    const student = await createPerson(site.services);
    const [row] = await site.services.db.read
      .selectFrom("modules")
      .select("productId")
      .where("id", "=", lesson.moduleId)
      .execute();
    await enroll(site.services, { userId: student.id, productId: row?.productId ?? "" });
    const { slug } = await site.services.db.read
      .selectFrom("products")
      .select("slug")
      .where("id", "=", row?.productId ?? "")
      .executeTakeFirstOrThrow();
    const phone = await device({ as: student, viewport: { width: 360, height: 740 } });
    await phone.goto(`${site.url}/courses/${slug}/learn`);
    const picture = phone.getByAltText("Water, [still] and grey");
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => [img.complete, img.naturalWidth > 0]))
      .toEqual([true, true]);
    await phone.getByAltText("Hills in the evening").scrollIntoViewIfNeeded();
    const shifts = await phone.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(
              list
                .getEntries()
                .reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
            ),
          ).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
        }),
    );
    expect(shifts).toBeLessThan(0.01);
    await look(phone, "lesson-with-pictures", { night: true });
  });
});

test("without scripts, a picture is uploaded by a form, and its line is shown", async ({
  site,
  device,
}) => {
  const coach = await createCoach(site.services);
  const { path } = await createLesson(site.services);
  const page = await device({ as: coach, javaScriptEnabled: false });
  await page.goto(site.url + path);
  await page.getByLabel("A picture for the text").setInputFiles({
    name: "water.jpg",
    mimeType: "image/jpeg",
    buffer: await photograph(),
  });
  await page.getByRole("button", { name: "Upload picture" }).click();
  await expect(page.getByText(pictureLine)).toBeVisible();
  expect(page.url()).toBe(site.url + path);
  await look(page, "lesson-picture-without-scripts", { axe: false, widths: [360] });
});
