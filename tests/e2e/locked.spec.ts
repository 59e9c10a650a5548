import { blueDot, heading, lessons, openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, letDaysPass } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const secret = "turn the brightness down";
const address = `${blueDot}?lesson=awake-at-three`;

test("a locked lesson shows when it opens, and nothing of it reaches the browser", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 403: GET .*awake-at-three$/);
  const student = await createStudent(site.services);
  const page = await device({ as: student, timezoneId: "America/New_York" });
  const received: Promise<string>[] = [];
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    const isWords = /html|json|script/.test(type) && response.status() < 300;
    if (isWords || response.status() === 403)
      // A page that is left takes the rest of its answers with it.
      received.push(response.text().catch(() => ""));
  });

  await openPlayer(page);
  const entry = lessons(page).getByRole("link", { name: /Awake at three \(locked\)/ });
  await expect(entry).toHaveAttribute("aria-disabled", "true");
  await expect(entry).not.toHaveAttribute("href", /./);
  await expect(entry).toHaveCSS("cursor", "not-allowed");
  const open = lessons(page).getByRole("link", { name: "Keys in the refrigerator" });
  const colour = (element: Element) => getComputedStyle(element).color;
  expect(await entry.evaluate(colour)).not.toBe(await open.evaluate(colour));
  await entry.click({ force: true });
  await expect(page).toHaveURL(blueDot);

  await page.goto(address);
  await expect(heading(page)).toHaveText("Awake at three");
  const { createdAt } = await site.services.db.read
    .selectFrom("enrollments")
    .select("createdAt")
    .where("userId", "=", student.id)
    .executeTakeFirstOrThrow();
  const opens = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/New_York",
    weekday: "long",
    month: "long",
    day: "numeric",
  }).format(createdAt.getTime() + 7 * 24 * 3600 * 1000);
  await expect(page.getByText(`This lesson opens on ${opens}`)).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
  await look(page, "player-locked", { night: true });

  const asked = await page.evaluate(
    (path) => fetch(path).then((response) => response.text()),
    address.replace("/learn?", "/learn.data?"),
  );
  const arrived = await Promise.all(received);
  expect(arrived.some((text) => text.includes("Awake at three"))).toBe(true);
  for (const text of [await page.content(), asked, ...arrived])
    expect(text.includes(secret), "words of the locked lesson").toBe(false);

  // The same question has the answer a week later: the words above are the right ones.
  await letDaysPass(site.services, student.id, 7);
  await page.reload();
  await expect(page.getByText(secret)).toBeVisible();
});

test("a lesson that does not exist asks to choose one", async ({ site, device, watch }) => {
  watch.expect(/^answer 404: GET .*never-written$/);
  const page = await device({ as: await createStudent(site.services) });
  await page.goto(`${blueDot}?lesson=never-written`);
  await expect(page.getByText("Select a lesson to begin")).toBeVisible();
  await look(page, "player-no-lesson");
});
