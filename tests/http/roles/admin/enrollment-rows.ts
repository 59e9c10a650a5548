import { adminAt, byRole, ok, page, post, type Row, seeOther } from "../row.ts";

const list = "/admin/enrollments";
const invalid = { status: 400, has: ["Please select both a course and a user"] };

const newEnrollment = adminAt(`${list}/new`);
const invitations = adminAt(`${list}/invite`);
const enrollment = adminAt(`${list}/:id`);

/** The coach's side: who may study what. */
const manualEnrollmentRows: Row[] = [
  adminAt(list).page("the list", ok("Grace", "A course of the world"), `${list}?q=grace`),
  newEnrollment.page("the form", ok("Choose a course")),
  newEnrollment.post("an empty form", invalid, { form: {} }),
  newEnrollment.post(
    "somebody in a course",
    seeOther(/^\/admin\/enrollments\/[\w-]+$/, "Already enrolled"),
    ({ world }) => ({ form: { productId: world.active.id, who: world.other.email } }),
  ),
  invitations.page("the form, and who waits", ok("invited@example.com")),
  invitations.post(
    "an empty form",
    { status: 400, has: ["Please select both a course and an email address"] },
    { form: { intent: "invite" } },
  ),
  invitations.post(
    "the email of an invitation, sent again",
    seeOther(`${list}/invite`, "Invitation written to a file"),
    ({ world }) => ({ form: { intent: "again", id: world.invitation.id } }),
  ),
  enrollment.page(
    "an enrollment",
    ok("Lea", "Remove this enrollment"),
    ({ world }) => `${list}/${world.leaving.id}`,
  ),
  enrollment.page(
    "a question about its days",
    ok("Open every lesson?"),
    ({ world }) => `${list}/${world.leaving.id}?days=open`,
  ),
  enrollment.post("days that cannot be", seeOther(/days=yesterday$/), ({ world }) => ({
    id: world.leaving.id,
    form: { intent: "days", days: "yesterday" },
  })),
  enrollment.page("no such enrollment", 404, `${list}/none`),
  enrollment.post(
    "removing it",
    seeOther(list, "Enrollment removed successfully"),
    ({ world }) => ({ id: world.leaving.id, form: { intent: "remove" } }),
  ),
  adminAt("/admin/students/search").page(
    "looking for somebody",
    ok("Grace"),
    ({ world }) => `/admin/students/search?${new URLSearchParams({ q: world.other.email })}`,
  ),
];

/** The page of the email's link. */
const invitationRows: Row[] = [
  page("/invitation", "without its token", 404),
  post("/invitation", "a form with a token that was never sent", 404, {
    path: "/invitation?token=x",
    form: { name: "Eve", password: "Abcdefg1" },
  }),
  page(
    "/invitation",
    "with its token, for nobody else",
    byRole(ok("Accept and begin"), {
      status: 200,
      has: ["Somebody else is signed in here"],
      hasNot: ["Accept and begin"],
    }),
    ({ world }) => `/invitation?token=${world.invitation.token}`,
  ),
  post("/invitation", "signing out on the way", seeOther("/invitation?token=x"), {
    path: "/invitation?token=x",
    form: { intent: "sign-out" },
  }),
];

export const adminEnrollmentRows: Row[] = [...invitationRows, ...manualEnrollmentRows];
