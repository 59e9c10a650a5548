import { newId } from "~/platform/db/ids.ts";
import { createPerson } from "../../../support/people.ts";
import { adminAt, type Row, seeOther } from "../row.ts";
import { aCourse, anEnrollment, anInvitation } from "./thrown-away.ts";

const list = "/admin/enrollments";
const invite = `${list}/invite`;
const invitations = adminAt(invite);

/** A press on an invitation that waits. */
const toInvitation = (intent: string, toast: string): Row =>
  invitations.post(`${intent}, done`, seeOther(invite, toast), async (given) => ({
    form: { intent, id: await anInvitation(given) },
  }));

/** What an administrator does to enrollments and invitations, and no one else. */
export const doneEnrollmentRows: Row[] = [
  adminAt(`${list}/new`).post(
    "somebody new in a course",
    seeOther(list, "Enrollment created successfully"),
    async (given) => {
      const { id: productId } = await aCourse(given);
      const { email: who } = await createPerson(given.services);
      return { form: { productId, who } };
    },
  ),
  invitations.post(
    "somebody without an account",
    seeOther(invite, "Invitation written to a file"),
    async (given) => {
      const { id: productId } = await aCourse(given);
      const form = { intent: "invite", productId, email: `${newId()}@example.com`, name: "" };
      return { form };
    },
  ),
  toInvitation("again", "Invitation written to a file"),
  toInvitation("withdraw", "Invitation withdrawn"),
  adminAt(`${list}/:id`).post(
    "moving its days, done",
    seeOther(/^\/admin\/enrollments\/[\w-]+$/, "Lesson days changed"),
    async (given) => ({ id: await anEnrollment(given), form: { intent: "days", days: "open" } }),
  ),
  adminAt(`${list}/:id`).post(
    "removing it, done",
    seeOther(list, "Enrollment removed successfully"),
    async (given) => ({ id: await anEnrollment(given), form: { intent: "remove" } }),
  ),
];
