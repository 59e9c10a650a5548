import { stat, statfs } from "node:fs/promises";
import { hasAppOrPasskey } from "~/features/auth/two-factor.server.ts";
import { countFailedEmails } from "~/features/email-log/email-log.server.ts";
import {
  firstCoursePages,
  firstEdition,
  type PageEdition,
} from "~/features/pages/first-edition.server.ts";
import { pageKinds } from "~/features/pages/messages.ts";
import { withNames } from "~/features/pages/names.server.ts";
import { coursePrefix } from "~/features/pages/rules.ts";
import { findWebhookHeard } from "~/features/payments/webhook-heard.server.ts";
import { findPortrait } from "~/features/pictures/pictures.server.ts";
import { findLastBackup } from "~/platform/backup/last-backup.ts";
import { countOf } from "~/platform/db/database.ts";
import { readOutage } from "~/platform/email/outage.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Content, PageContent, PageKind, Site } from "~content/fields.ts";
import { listCourseFacts } from "./course-facts.server.ts";
import type { Facts, PageWords } from "./facts.ts";
import { domainOf } from "./rules.ts";

const firstSite = firstEdition.site?.shown as Site;

/** What the first edition says, with the names of the first edition. */
const firstWords = (kind: PageKind) => asShown(kind, firstEdition[kind]);

const asShown = (kind: PageKind, edition: PageEdition | undefined): Content =>
  edition ? withNames(kind, edition.shown, firstSite) : {};

/** More that failed are not counted. */
const mostFailed = 10;

export type FactReaders = { [Name in keyof Facts]: (services: Services) => Promise<Facts[Name]> };

/** Each is one query at most, or no query: what is public is in memory. */
export const factReaders: FactReaders = {
  async words({ content, config }) {
    const kinds = Object.keys(pageKinds).filter(
      (kind): kind is Exclude<PageKind, "site" | "course"> => kind !== "site" && kind !== "course",
    );
    const pages: PageWords[] = [
      { name: "site", label: pageKinds.site.label, shown: content.site, first: firstWords("site") },
      ...kinds.map((kind) => ({
        ...{ name: kind, label: pageKinds[kind].label },
        ...{ shown: content.page(kind) as Content, first: firstWords(kind) },
      })),
    ];
    return {
      site: content.site,
      firstSite,
      home: content.page("home"),
      firstHome: firstWords("home") as PageContent<"home">,
      application: config.coachingApplicationUrl ?? content.page("coaching").application,
      pages,
    };
  },

  async published({ db }) {
    const rows = await db.read.selectFrom("pages").select("subject").limit(1000).execute();
    return rows.map(({ subject }) => subject);
  },

  async courses({ db, content }) {
    const courses = await listCourseFacts(db.read);
    return courses.map((course) => {
      const shown = content.course(course);
      const words: PageWords | null = shown && {
        ...{ name: coursePrefix + course.id, slug: course.slug, label: course.title, shown },
        first: asShown("course", firstCoursePages[course.slug]),
      };
      return { ...course, words };
    });
  },

  async shareCards({ db }) {
    const columns = ["page", "brand", "title", "line", "name", "wanted"] as const;
    return db.read.selectFrom("shareCards").select(columns).limit(1000).execute();
  },

  portrait: async (services) => (await findPortrait(services, "")) !== null,

  async stripe(services) {
    const { config, clock, db } = services;
    const key = config.stripe?.secretKey;
    const [heard, paid] = await Promise.all([
      findWebhookHeard(services),
      db.read
        .selectFrom("payments")
        .select("paidAt")
        .where("paidAt", "is not", null)
        .orderBy("paidAt", "desc")
        .limit(1)
        .executeTakeFirst(),
    ]);
    const now = clock.now().getTime();
    const ageOf = (date: Date | null | undefined) => (date ? now - date.getTime() : null);
    return {
      key: !key ? "none" : key.includes("_test_") ? "test" : "live",
      heardMs: ageOf(heard),
      paidMs: ageOf(paid?.paidAt),
    };
  },

  async mail({ db, clock, config }) {
    const [test, { refused, others }, outage] = await Promise.all([
      db.read
        .selectFrom("auditEntries")
        .select(["label", "createdAt"])
        .where("subjectKind", "=", "mail")
        .where("action", "=", "mail.tested")
        .orderBy("createdAt", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst(),
      countFailedEmails({ db }, mostFailed),
      readOutage(db.read, clock.now()),
    ]);
    return {
      hasServer: Boolean(config.smtpUrl),
      domain: domainOf(config.mailFrom),
      test: test
        ? {
            result: test.label === "" ? "sent" : test.label === "Failed" ? "failed" : "file",
            ageMs: clock.now().getTime() - test.createdAt.getTime(),
          }
        : null,
      failed: refused + others,
      outage: outage?.words ?? null,
    };
  },

  address: async ({ config }) => config.appUrl,

  async backup({ db, clock }) {
    const at = await findLastBackup(db.read);
    return at && clock.now().getTime() - at.getTime();
  },

  async admins({ db }) {
    const admins = db.read
      .selectFrom("profiles")
      .where("role", "=", "admin")
      .where("suspendedAt", "is", null);
    const [all, without] = await Promise.all([
      countOf(admins),
      countOf(admins.where((is) => is.not(hasAppOrPasskey("profiles.id")))),
    ]);
    return { all, without };
  },

  async disk({ config }) {
    const { bavail, blocks, bsize } = await statfs(config.dataDir);
    return { free: bavail * bsize, all: blocks * bsize };
  },

  async folder({ config }) {
    const { mode } = await stat(config.dataDir);
    return { path: config.dataDir, isOpen: process.platform !== "win32" && (mode & 0o077) !== 0 };
  },
};
