import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { ModuleCompleted } from "./emails/module-completed.tsx";

/**
 * The personal mail about an hour after a module was completed. It says which module
 * and where to go on; never a word of the journal. Names are read when it is sent;
 * if the student or the course is gone by then, there is nothing to send.
 */
export const moduleCompletedMail = defineJob({
  kind: "learning.module-completed",
  payload: z.object({ userId: z.string(), moduleId: z.string() }),
  async run({ db, mail, config }, { userId, moduleId }, { id }) {
    const student = await db.read
      .selectFrom("profiles")
      .select(["name", "email"])
      .where("id", "=", userId)
      .executeTakeFirst();
    const module = await db.read
      .selectFrom("modules")
      .innerJoin("products", "products.id", "modules.productId")
      .select(["modules.title", "products.title as course", "products.slug"])
      .where("modules.id", "=", moduleId)
      .where("modules.deletedAt", "is", null)
      .where("products.deletedAt", "is", null)
      .executeTakeFirst();
    if (!student || !module) return;
    const body = await renderMail(
      ModuleCompleted({
        name: student.name,
        module: module.title,
        course: module.course,
        link: `${config.appUrl}/courses/${module.slug}/learn`,
      }),
    );
    await mail.send({
      id,
      to: { name: student.name, address: student.email },
      subject: `You finished “${module.title}”`,
      ...body,
    });
  },
});
