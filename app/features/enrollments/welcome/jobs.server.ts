import { z } from "zod";
import { lessonsOf } from "~/features/courses/queries.server.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { dayInWords, knownZone } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { Welcome } from "./emails/welcome.tsx";
import { openingOf, openingWords } from "./rules.ts";

/**
 * The letter that follows on an enrollment, however it came about (spec 2, Enrollment confirmed:
 * 'check email for access details'). What it says is read when it is sent; an enrollment that has
 * ended by then, or a deleted course, is not welcomed.
 */
export const welcomeLetter = defineJob({
  kind: "enrollments.welcome",
  label: "Welcome to a course",
  payload: z.object({ enrollmentId: z.string() }),
  async run({ db, mail, clock, config }, { enrollmentId }, { id }) {
    const enrollment = await db.read
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .innerJoin("profiles", "profiles.id", "enrollments.userId")
      .select(["enrollments.createdAt", "products.id as productId"])
      .select(["products.title as course", "products.slug"])
      .select(["profiles.name", "profiles.email", "profiles.timeZone"])
      .where("enrollments.id", "=", enrollmentId)
      .where("products.deletedAt", "is", null)
      .executeTakeFirst();
    if (!enrollment) return;
    const { productId, course, slug, name, email, timeZone, createdAt } = enrollment;
    const lessons = await lessonsOf(db.read, productId).select("lessons.dripDay").execute();
    const now = clock.now();
    const dripDays = lessons.map(({ dripDay }) => dripDay);
    const body = await renderMail(
      Welcome({
        greeting: greetingOf(name),
        course,
        opening: openingWords(openingOf(dripDays, createdAt, now), (date) =>
          dayInWords(date, now, knownZone(timeZone, site.timeZone)),
        ),
        link: `${config.appUrl}/courses/${slug}/learn`,
      }),
    );
    await mail.send({
      id,
      to: receiver(name, email),
      subject: `Your place in “${course}”`,
      ...body,
    });
  },
});
