import { z } from "zod";
import {
  letterHeaders,
  letterLinks,
  wantsLetter,
} from "~/features/accounts/letters/queries.server.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import type { Services } from "~/platform/services.ts";
import { dayInWords, knownZone } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { ModuleCompleted } from "./emails/module-completed.tsx";
import { getOutline } from "./queries.server.ts";
import { whatComesNext } from "./rules.ts";

type Completed = { userId: string; moduleId: string };

/**
 * The personal mail about an hour after a module was completed. It says which module and what
 * comes next; never a word of the journal. Everything is read when it is sent, which may be days
 * later: if the course is gone by then, or her place in it, or she has declined such letters,
 * there is nothing to send.
 */
export const moduleCompletedMail = defineJob({
  kind: "learning.module-completed",
  label: "Module completed",
  bulk: true,
  payload: z.object({ userId: z.string(), moduleId: z.string() }),
  async run(services, { userId, moduleId }, { id }) {
    const { db, mail, config, clock } = services;
    const addressed = { userId, kind: "module-completed" } as const;
    if (!(await wantsLetter(db.read, addressed))) return;
    const completed = await readCompleted(services, { userId, moduleId });
    if (!completed) return;
    const { name, email, timeZone, module, course, slug, productId, enrolledAt } = completed;
    const outline = await getOutline(services, { userId, productId, enrolledAt });
    const next = whatComesNext(outline, moduleId, enrolledAt);
    const opens =
      next.kind === "module" && next.opensAt
        ? dayInWords(next.opensAt, clock.now(), knownZone(timeZone, site.timeZone))
        : null;
    const body = await renderMail(
      ModuleCompleted({
        greeting: greetingOf(name),
        module,
        course,
        next: next.kind === "module" ? { kind: next.kind, title: next.title, opens } : next,
        link: `${config.appUrl}/courses/${slug}/learn`,
        links: letterLinks(services, addressed),
      }),
    );
    await mail.send({
      id,
      to: receiver(name, email),
      subject: `You finished “${module}”`,
      headers: letterHeaders(services, addressed),
      ...body,
    });
  },
});

function readCompleted({ db }: Services, { userId, moduleId }: Completed) {
  return db.read
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .innerJoin("enrollments", "enrollments.productId", "products.id")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .select(["profiles.name", "profiles.email", "profiles.timeZone"])
    .select(["modules.title as module", "modules.productId", "products.title as course"])
    .select(["products.slug", "enrollments.createdAt as enrolledAt"])
    .where("modules.id", "=", moduleId)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .where("profiles.id", "=", userId)
    .executeTakeFirst();
}
