import { cookieOf } from "../support/people.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("the header knows who is signed in, on a page that everybody else gets from memory", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device();
  const visitor = await device();
  const header = (of = page) => of.getByRole("navigation", { name: "Main" });
  const expectOut = async (of = page) => {
    await expect(header(of).getByRole("link", { name: "Log In" })).toBeVisible();
    await expect(header(of).getByRole("link", { name: "My Courses" })).toBeHidden();
  };
  const expectIn = async () => {
    await expect(header().getByRole("link", { name: "My Courses" })).toBeVisible();
    await expect(header().getByRole("link", { name: "Log In" })).toBeHidden();
  };
  // Twice: the second time the browser has a copy of its own, and asks whether it is still good.
  for (let visit = 0; visit < 2; visit += 1) {
    await visitor.goto("/coaching");
    await page.goto("/coaching");
    await expectOut();
  }

  const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");
  await page.context().addCookies([{ name, value, url: site.url }]);
  const own = await page.goto("/coaching");
  expect(own?.headers()["cache-control"]).toBe("private, no-store");
  await expectIn();
  await page.reload();
  await expectIn();
  await visitor.goto("/coaching");
  await expectOut(visitor);

  await page.goto("/about");
  await page.goBack();
  await expectIn();

  await page.context().clearCookies({ name });
  const shared = await page.goto("/coaching");
  expect(shared?.headers()["cache-control"]).toMatch(/^public/);
  await expectOut();
});

test("without scripts the header is right as well", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ javaScriptEnabled: false });
  const link = (name: string) =>
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
  await page.goto("/coaching");
  await page.goto("/about");
  await expect(link("Log In")).toBeVisible();

  const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");
  await page.context().addCookies([{ name, value, url: site.url }]);
  for (const address of ["/coaching", "/about"]) {
    await page.goto(address);
    await expect(link("My Courses")).toBeVisible();
    await expect(link("Log In")).toBeHidden();
  }
  await page.context().clearCookies({ name });
  for (const address of ["/coaching", "/about"]) {
    await page.goto(address);
    await expect(link("Log In")).toBeVisible();
  }
});
