import { listEditedPages } from "~/features/pages/pages.server.ts";
import { kindOf, pageSubject } from "~/features/pages/rules.ts";
import type { Field, PageKind } from "~content/fields.ts";
import { problemOf } from "~content/page-schema.ts";
import { filledPage } from "../support/marked-pages.ts";
import { draftPlace, publishDrafts } from "../support/page-editing.ts";
import { attacks } from "../support/xss.ts";
import { createCoach } from "./support/lessons.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { expect, test } from "./support/test.ts";
import { watchForAttacks } from "./support/xss-detector.ts";
import { expectHarmless, type Plants, startPlanting, visit } from "./support/xss-plants.ts";

test.use({ siteKind: "own" });

/** Places that no attack fits into. */
const plain: Partial<Record<Field["kind"], string>> = {
  email: "coach@attacked.example",
  handle: "@attacked",
  zone: "Europe/Dublin",
  picture: "/featured/the-coat-on-the-hook.svg",
  address: `https://a.example/?${encodeURIComponent("'\"><svg/onload=xss()>")}#'"><svg/onload=xss()>`,
};
const attacksAText = 12;

/** The next attacks in turn that the check of a place lets through. */
function filledWith(
  plants: Plants,
  kind: PageKind,
): Record<string, string | Record<string, string>[]> {
  const next = (place: Field, plant: (field: string) => string) => {
    for (;;) {
      const attack = plant(`${place.kind} of ${kind}`);
      if (problemOf(place, attack) === null) return attack;
    }
  };
  return filledPage(kind, (place) => {
    if (place.kind === "line") return next(place, (field) => plants.one(field, place.max));
    if (place.kind !== "text") return plain[place.kind] ?? "";
    const texts = Array.from({ length: attacksAText }, () => next(place, plants.text));
    return texts.join("\n\n");
  });
}

/** A place of the page with another attack, as a draft. */
function firstPlace(plants: Plants, kind: PageKind) {
  const [[field = "", value = ""] = []] = Object.entries(filledWith(plants, kind));
  return { field, value };
}

test("whatever is written into the pages, nothing of it runs for anyone", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 404: GET \/no\/such\/page/);
  const { services } = site;
  const plants = startPlanting();
  const coach = await createCoach(services);
  const { pages, courses } = await listEditedPages(services, "UTC");
  const all = [...pages, ...courses.slice(0, 3)];

  await test.step("the checks let it through, and it is published", async () => {
    for (const { name: page } of all) {
      const words = filledWith(plants, kindOf(pageSubject(page)));
      for (const [field, value] of Object.entries(words))
        await draftPlace(services, coach, { page, field, value });
      await publishDrafts(services, page);
    }
  });

  await test.step("for a visitor", async () => {
    const page = await device();
    const detector = await watchForAttacks(page.context(), site.url);
    const seen = { page, plants, detector };
    for (const { name, path } of all) {
      const kind = kindOf(pageSubject(name));
      const texts = plants.of(`text of ${kind}`).length > 0 ? [`text of ${kind}`] : [];
      if (path) await visit(seen, path, [`line of ${kind}`, ...texts, "line of site"]);
    }
    for (const path of ["/no/such/page", "/help", "/newsletter/confirmed"])
      await visit(seen, path, ["line of site"]);
  });

  const page = await device({ as: coach });
  const detector = await watchForAttacks(page.context(), site.url);
  const seen = { page, plants, detector };

  await test.step("for the coach: each page in its editor, what changes, what was", async () => {
    for (const { name, path } of all) {
      const kind = kindOf(pageSubject(name));
      await draftPlace(services, coach, { page: name, ...firstPlace(plants, kind) });
      await visit(seen, `/admin/pages/${name}`, [`line of ${kind}`]);
      // What is old and what is new stands word beside word there.
      await visit(seen, `/admin/pages/${name}/publish`, []);
      await visit(seen, `/admin/pages/${name}/history?version=0`, []);
      if (path) await visit(seen, `${path}?edit`, [`line of ${kind}`]);
      await hydrated(page);
    }
  });

  await test.step("in the preview, while it is typed", async () => {
    await openHydrated(page, "/about?edit");
    await page.locator(".page-pencil[href*='field=text']").first().click();
    const box = page.locator(".page-editor textarea");
    for (const attack of attacks) {
      const answered = page.waitForResponse(
        (answer) =>
          answer.url().endsWith("/preview") && answer.request().postDataJSON().value === attack,
      );
      await box.fill(attack);
      await (await answered).finished();
    }
    await expect(page.locator(".page-editor").getByText("Saved as a draft")).toBeVisible();
    await expectHarmless(seen);
  });
});
