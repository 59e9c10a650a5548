import { newId } from "~/platform/db/ids.ts";
import { createPerson } from "../../../support/people.ts";
import { adminOnly, type Row } from "../row.ts";
import { aCourse, anEnrollment, anInvitation } from "./thrown-away.ts";

const list = "/admin/enrollments";
const invite = `${list}/invite`;
const done = (toast: string, location: string) => adminOnly({ status: 303, toast, location });

/** A press on an invitation that waits. */
const toInvitation = (intent: string, toast: string): Row => ({
  pattern: invite,
  what: `${intent}, done`,
  method: "POST",
  ask: async (given) => ({ path: invite, form: { intent, id: await anInvitation(given) } }),
  expect: done(toast, invite),
});

/** What an administrator does to enrollments and invitations, and nobody else. */
export const doneEnrollmentRows: Row[] = [
  {
    pattern: `${list}/new`,
    what: "somebody new in a course",
    method: "POST",
    ask: async (given) => {
      const { id: productId } = await aCourse(given);
      const { email: who } = await createPerson(given.services);
      return { path: `${list}/new`, form: { productId, who } };
    },
    expect: done("Enrollment created successfully", list),
  },
  {
    pattern: invite,
    what: "somebody without an account",
    method: "POST",
    ask: async (given) => {
      const { id: productId } = await aCourse(given);
      const form = { intent: "invite", productId, email: `${newId()}@example.com`, name: "" };
      return { path: invite, form };
    },
    expect: done("Invitation sent", invite),
  },
  toInvitation("again", "Invitation sent again"),
  toInvitation("withdraw", "Invitation withdrawn"),
  {
    pattern: `${list}/:id`,
    what: "removing it, done",
    method: "POST",
    ask: async (given) => ({ path: `${list}/${await anEnrollment(given)}`, form: {} }),
    expect: done("Enrollment removed successfully", list),
  },
];
