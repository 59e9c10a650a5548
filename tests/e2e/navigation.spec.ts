import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** Whether the page came with a view transition; noted before its first frame. */
function noteTransition() {
  addEventListener("pagereveal", (event) => {
    const { viewTransition } = event as Event & { viewTransition: object | null };
    document.documentElement.dataset.revealed = viewTransition ? "with" : "without";
  });
}

for (const [reducedMotion, revealed] of [
  ["no-preference", "with"],
  ["reduce", "without"],
] as const)
  test(`from page to page ${revealed} a cross-fade: ${reducedMotion}`, async ({ device }) => {
    const page = await device({ reducedMotion });
    await page.addInitScript(noteTransition);
    // Seen once before: Chromium fades into no page that it has to wait seconds for.
    await page.goto("/about");
    await page.goto("/");
    await page.getByRole("navigation", { name: "Main" }).getByText("About").click();
    await expect(page).toHaveURL("/about");
    await expect(page.locator("html")).toHaveAttribute("data-revealed", revealed);
  });

test("the active link is that of the page, or of the part it belongs to", async ({
  device,
  watch,
}) => {
  watch.expect(/^answer 404/);
  const page = await device();
  const menu = page.getByRole("navigation", { name: "Main" });
  for (const [path, active] of [
    ["/", ["Home"]],
    ["/about", ["About"]],
    ["/courses", ["Courses"]],
    ["/courses/blue-dot-method", ["Courses"]],
    ["/coaching", ["Coaching"]],
    ["/auth?redirect=/courses", ["Log In"]],
    ["/auth/forgot", ["Log In"]],
    ["/privacy", []],
    ["/coursesx", []],
  ] as const) {
    await page.goto(path);
    await expect(menu.locator("[aria-current=page]")).toHaveText([...active]);
  }
});
