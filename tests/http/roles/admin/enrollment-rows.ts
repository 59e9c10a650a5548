import { adminOnly, at, byRole, type Row, same } from "../row.ts";

const list = "/admin/enrollments";
const invalid = { status: 400, has: ["Please select both a course and a user"] };

/** The coach's side: who may study what. */
const deskRows: Row[] = [
  {
    pattern: list,
    what: "the list",
    page: true,
    ask: at(`${list}?q=grace`),
    expect: adminOnly({ status: 200, has: ["Grace", "A course of the world"] }),
  },
  {
    pattern: `${list}/new`,
    what: "the form",
    page: true,
    ask: at(`${list}/new`),
    expect: adminOnly({ status: 200, has: ["Choose a course"] }),
  },
  {
    pattern: `${list}/new`,
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: `${list}/new`, form: {} }),
    expect: adminOnly(invalid),
  },
  {
    pattern: `${list}/new`,
    what: "somebody in a course",
    method: "POST",
    ask: ({ world }) => ({
      path: `${list}/new`,
      form: { productId: world.active.id, who: world.other.email },
    }),
    expect: adminOnly({
      status: 303,
      location: /^\/admin\/enrollments\/[\w-]+$/,
      toast: "Already enrolled",
    }),
  },
  {
    pattern: `${list}/invite`,
    what: "the form, and who waits",
    page: true,
    ask: at(`${list}/invite`),
    expect: adminOnly({ status: 200, has: ["invited@example.com"] }),
  },
  {
    pattern: `${list}/invite`,
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: `${list}/invite`, form: { intent: "invite" } }),
    expect: adminOnly({ status: 400, has: ["Please select both a course and an email address"] }),
  },
  {
    pattern: `${list}/invite`,
    what: "a letter once more",
    method: "POST",
    ask: ({ world }) => ({
      path: `${list}/invite`,
      form: { intent: "again", id: world.invitation.id },
    }),
    expect: adminOnly({ status: 303, location: `${list}/invite`, toast: "Invitation sent again" }),
  },
  {
    pattern: `${list}/:id`,
    what: "an enrollment",
    page: true,
    ask: ({ world }) => ({ path: `${list}/${world.leaving.id}` }),
    expect: adminOnly({ status: 200, has: ["Lea", "Remove this enrollment"] }),
  },
  {
    pattern: `${list}/:id`,
    what: "no such enrollment",
    page: true,
    ask: at(`${list}/none`),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: `${list}/:id`,
    what: "removing it",
    method: "POST",
    ask: ({ world }) => ({ path: `${list}/${world.leaving.id}`, form: {} }),
    expect: adminOnly({ status: 303, location: list, toast: "Enrollment removed successfully" }),
  },
  {
    pattern: "/admin/students/search",
    what: "looking for somebody",
    page: true,
    ask: ({ world }) => ({
      path: `/admin/students/search?${new URLSearchParams({ q: world.other.email })}`,
    }),
    expect: adminOnly({ status: 200, has: ["Grace"] }),
  },
];

/** The page of the letter's link. */
const invitationRows: Row[] = [
  {
    pattern: "/invitation",
    what: "without its token",
    page: true,
    ask: at("/invitation"),
    expect: 404,
  },
  {
    pattern: "/invitation",
    what: "a form with a token that nobody was sent",
    method: "POST",
    ask: () => ({ path: "/invitation?token=x", form: { name: "Eve", password: "Abcdefg1" } }),
    expect: 404,
  },
  {
    pattern: "/invitation",
    what: "with its token, for nobody else",
    page: true,
    ask: ({ world }) => ({ path: `/invitation?token=${world.invitation.token}` }),
    expect: byRole(
      { status: 200, has: ["Accept and begin"] },
      { status: 200, has: ["Somebody else is signed in here"], hasNot: ["Accept and begin"] },
      { status: 200, has: ["Somebody else is signed in here"], hasNot: ["Accept and begin"] },
    ),
  },
  {
    pattern: "/invitation",
    what: "signing out on the way",
    method: "POST",
    ask: () => ({ path: "/invitation?token=x", form: { intent: "sign-out" } }),
    expect: same({ status: 303, location: "/invitation?token=x" }),
  },
];

export const adminEnrollmentRows: Row[] = [...invitationRows, ...deskRows];
