import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { exportContent, importContent } from "~/features/pages/content-folder.server.ts";
import { temporaryFolder } from "../../support/config.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile({ SAMPLE_CONTENT: "on" });

test("content:export and content:import: a folder for git, which publishes all of its changes or none", async () => {
  const { services } = site;
  const folder = path.join(temporaryFolder(), "words");
  await exportContent(services, folder);
  const first = path.resolve("content", "pages");
  expect(readdirSync(folder).sort()).toEqual(readdirSync(first).sort());
  expect(await importContent(services, folder)).toEqual([]);
  const change = (file: string, from: string | RegExp, to: string) => {
    const at = path.join(folder, file);
    writeFileSync(at, readFileSync(at, "utf8").replace(from, to));
  };
  change("about.md", /heading: .*/, "heading: My brother");
  change("blue-dot-method.yaml", /heading: .*/, "heading: The Method");
  change("home.md", "title: Grief coaching and courses", `title: ${"x".repeat(71)}`);
  writeFileSync(path.join(folder, "no-such-course.yaml"), "title: x");
  await expect(importContent(services, folder)).rejects.toThrow(
    /home\.md: title: This is 1 character too long for its place\.\n.*no-such-course\.yaml: no page or course/,
  );
  expect(services.content.page("about").heading).not.toBe("My brother");
  change("home.md", /^title: x+$/m, "title: Grief coaching and courses");
  writeFileSync(path.join(folder, "no-such-course.yaml"), "");
  await expect(importContent(services, folder)).rejects.toThrow("no page or course");
  rmSync(path.join(folder, "no-such-course.yaml"));
  expect(await importContent(services, folder)).toEqual(["About", "The Blue Dot Method"]);
  await services.content.refresh();
  expect(services.content.page("about").heading).toBe("My brother");
  const again = path.join(temporaryFolder(), "again");
  await exportContent(services, again);
  for (const file of readdirSync(folder))
    expect(readFileSync(path.join(again, file), "utf8"), file).toBe(
      readFileSync(path.join(folder, file), "utf8"),
    );
});
