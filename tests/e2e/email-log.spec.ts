import { newId } from "~/platform/db/ids.ts";
import { writeFailed } from "../support/email-log.ts";
import { createPerson } from "../support/people.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("the coach finds emails that were not sent, sends one again and removes one", async ({
  site,
  device,
}) => {
  const { services } = site;
  const page = await device({ as: await createPerson(services, { role: "admin" }) });
  const mine = `t${newId()}`;
  await writeFailed(services, {
    kind: "newsletter.signup",
    address: `${mine}@mail.example`,
    failure: "broken",
    lastError: "the newsletter provider answered 422",
  });
  const lastError = `550 5.1.1 ${"no-such-mailbox-".repeat(20)} (see https://mail.example/why)`;
  const address = `${mine}.${"maximiliana.".repeat(14)}@mail.example`;
  const refused = { kind: "of.a.newer.version", address, failure: "refused", lastError } as const;
  const id = await writeFailed(services, refused);

  await test.step("search and state narrow the list", async () => {
    await openHydrated(page, "/admin/mail");
    await page.getByRole("combobox", { name: "State" }).selectOption("Not sent");
    await page.getByRole("searchbox").fill(mine);
    await expect(page.getByRole("rowheader")).toHaveCount(2);
    await look(page, "admin-mail-failed", { widths: [320, 1280], night: true });
  });

  await test.step("one is sent again", async () => {
    const row = page.getByRole("row").filter({ hasText: "Something that this version" });
    await row.getByRole("button", { name: /^Send again/ }).click();
    await expect(page.getByText("It will be tried again")).toBeVisible();
    await expect(page.getByRole("rowheader")).toHaveCount(1);
    const read = services.db.read.selectFrom("outbox").select(["failedAt", "attempts"]);
    const sent = await read.where("id", "=", id).executeTakeFirst();
    expect(sent).toEqual({ failedAt: null, attempts: 0 });
  });

  await test.step("one is removed after a question", async () => {
    await page.getByRole("button", { name: /^Remove: Signing up/ }).click();
    await look(page, "admin-mail-remove", { widths: [360] });
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("Removed from the list")).toBeVisible();
    await expect(page.getByText("No emails found")).toBeVisible();
  });
});
