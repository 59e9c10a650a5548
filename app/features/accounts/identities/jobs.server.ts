import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { MethodChanged } from "./emails/method-changed.tsx";
import { methodsPath } from "./texts.ts";

/** A way to sign in was added to an account, or taken away: told to its owner. */
export const methodChangedMail = defineJob({
  kind: "accounts.method-changed",
  label: "A way to sign in",
  urgent: true,
  payload: z.object({
    to: z.object({ name: z.string(), address: z.string() }),
    change: z.enum(["linked", "unlinked"]),
    /** Its name, e.g. 'Google'. */
    method: z.string(),
  }),
  async run(services, { to, change, method }, { id }) {
    const link = services.config.appUrl + methodsPath;
    const body = await renderMail(
      MethodChanged({ greeting: greetingOf(to.name), change, method, link }),
    );
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject:
        change === "linked"
          ? `You can now sign in with ${method}`
          : `You no longer sign in with ${method}`,
      ...body,
    });
  },
});
