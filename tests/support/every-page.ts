import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { saveRedirect } from "~/features/redirects/redirects.server.ts";
import { createRelease } from "~/features/releases/releases.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { writeIssue } from "./issue-sending.ts";
import { leave, said, write } from "./journal-page.ts";
import { createImport, createSubscriber } from "./newsletter.ts";
import { recordPayment } from "./payments.ts";
import { createPerson, type Person } from "./people.ts";
import { createPublicContent, ownPages, publicPages } from "./public-pages.ts";
import { adminPages } from "./route-table.ts";
import { startSite } from "./site.ts";
import { createWorld } from "./world.ts";

export type SitePage = {
  /** As app/routes.ts has it. */
  pattern: string;
  path: string;
  as: Person | null;
};

/** Pages that need a sign-in under way, or an app or a passkey: security and two-factor tests open them. */
export const pagesApart = [
  "/auth/second-step",
  "/account/security/codes",
  "/account/security/rename",
  "/account/security/remove",
];

/** The address of an admin page: of the first course, module or lesson, or of what is this student's. */
export async function adminPath(
  services: Services,
  pattern: string,
  userId: string,
): Promise<string> {
  if (pattern === "/admin/lessons/new") return `${pattern}?id=${newId()}`;
  if (!pattern.includes(":id")) return pattern;
  const { read } = services.db;
  const first = async (table: "products" | "modules" | "lessons") =>
    (await read.selectFrom(table).select("id").orderBy("id").executeTakeFirstOrThrow()).id;
  const ids: Record<string, () => Promise<string>> = {
    courses: () => first("products"),
    modules: () => first("modules"),
    lessons: () => first("lessons"),
    students: async () => userId,
    enrollments: async () => {
      const own = read.selectFrom("enrollments").select("id").where("userId", "=", userId);
      return (await own.executeTakeFirstOrThrow()).id;
    },
    pages: async () => "home",
    releases: async () =>
      createRelease({ ...services, actor: { id: userId, name: "Nora" } }, "Spring"),
    redirects: async () => {
      const way = { fromPath: `/old-${newId()}`, target: "/about" };
      await saveRedirect(services, { id: null, ...way });
      const made = read.selectFrom("redirects").select("id").where("fromPath", "=", way.fromPath);
      return (await made.executeTakeFirstOrThrow()).id;
    },
    issues: () => writeIssue(services),
    subscribers: () => createSubscriber(services, `${newId()}@example.com`),
    import: () => createImport(services),
    payments: async () => {
      const productId = await first("products");
      return recordPayment(services, { userId, productId, attention: "already_enrolled" });
    },
  };
  const id = await ids[pattern.split("/:id")[0]?.split("/").at(-1) ?? ""]?.();
  if (!id) throw new Error(`every-page.ts knows no id for ${pattern}`);
  return pattern.replace(":id", id);
}

/** A site with the sample courses and something in every list, and each of its pages as whoever may see it. */
export async function openEveryPage() {
  const site = await startSite({ SAMPLE_CONTENT: "on", TRUSTED_PROXIES: "1" });
  const { services } = site;
  await createPublicContent(services);
  const { active, invitation, person } = await createWorld(services);
  const admin = await createPerson(services, { role: "admin", name: "Nora" });
  const student = (await person("enrolled")) as Person;
  const [open, locked] = active.modules[0]?.lessons ?? [];
  if (!open || !locked) throw new Error("the course of world.ts has two lessons");
  const learn = `/courses/${active.slug}/learn`;
  await write(services, student, active, [[open, said("We sat by the water.", "")]]);
  for (const words of ["In the morning.", "In the evening."])
    await leave(services, student, open, said(words));
  const beginner = (await person("enrolled")) as Person;
  const leaving = await createPerson(services);
  await scheduleDeletion(services, leaving.id);

  const own = (path: string, pattern = path): SitePage => ({ pattern, path, as: student });
  const pages: SitePage[] = [
    ...publicPages.map(({ pattern, path }) => ({ pattern, path, as: null })),
    ...ownPages.map((path) => own(path)),
    own("/my-courses/journal?edit=".concat(`${open.id}.0`), "/my-courses/journal"),
    own("/my-courses/journal?delete=all", "/my-courses/journal"),
    { ...own(learn, "/courses/:slug/learn"), as: beginner },
    own(`${learn}?lesson=open~${open.id}`, "/courses/:slug/learn"),
    own(`${learn}?lesson=locked~${locked.id}`, "/courses/:slug/learn"),
    { pattern: "/courses/:slug/learn", path: learn, as: admin },
    own(`${learn}/worksheet?lesson=open~${open.id}`, "/courses/:slug/learn/worksheet"),
    own(`${learn}/workbook`, "/courses/:slug/learn/workbook"),
    own(`${learn}/file?lesson=open~${open.id}&file=none`, "/courses/:slug/learn/file"),
    { pattern: "/account/deletion-pending", path: "/account/deletion-pending", as: leaving },
    { pattern: "/auth/protect", path: "/auth/protect", as: admin },
    { pattern: "/invitation", path: `/invitation?token=${invitation.token}`, as: null },
    { pattern: "/invitation", path: "/invitation?token=none", as: null },
    {
      pattern: "/invitation/administrator",
      path: "/invitation/administrator?token=none",
      as: null,
    },
    { pattern: "/setup", path: "/setup?token=none", as: null },
  ];
  for (const pattern of adminPages) {
    const path = await adminPath(services, pattern, student.id);
    pages.push({ pattern, path, as: admin });
    if (/^\/admin\/(courses|modules|lessons|enrollments)\/:id$/.test(pattern))
      pages.push({ pattern, path: `${path}?delete=1`, as: admin });
  }
  return { ...site, pages };
}
