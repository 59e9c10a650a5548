import { newId } from "~/platform/db/ids.ts";
import { at, byRole, type Row } from "./row.ts";

const signIn = { status: 302, location: /^\/auth\?redirect=\/my-courses\/journal/ };
const empty = { status: 200, has: ["Nothing written yet"] };
const journal = "/my-courses/journal";

export const journalRows: Row[] = [
  {
    pattern: journal,
    what: "one's own words, and nobody else's",
    page: true,
    ask: at(journal),
    expect: byRole(signIn, empty, empty),
  },
  {
    pattern: journal,
    what: "an entry of somebody else",
    page: true,
    ask: ({ world }) => {
      const id = world.active.modules[0]?.lessons[0]?.id;
      return { path: `${journal}?edit=${id}.0&delete=${id}` };
    },
    expect: byRole(signIn, empty, empty),
  },
  {
    pattern: journal,
    what: "changing an answer of somebody else",
    method: "POST",
    ask: ({ world }) => ({
      path: `${journal}?edit=${world.active.modules[0]?.lessons[0]?.id}.0&version=x`,
      multipart: [["answer", "not theirs"]],
    }),
    expect: byRole(
      { status: 401, has: ["not theirs"] },
      { status: 404, has: ["not theirs"] },
      { status: 404, has: ["not theirs"] },
    ),
  },
  {
    pattern: journal,
    what: "deleting everything",
    method: "POST",
    ask: () => ({ path: journal, form: { intent: "delete", target: "all", version: newId() } }),
    expect: byRole(
      signIn,
      { status: 303, location: journal, toast: "It is not there any more." },
      { status: 303, location: journal, toast: "It is not there any more." },
    ),
  },
  {
    pattern: `${journal}/book`,
    what: "one's own",
    page: true,
    ask: at(`${journal}/book`),
    expect: byRole(signIn, { status: 200, has: ["Ada"], hasNot: ["Grace"] }, { status: 200 }),
  },
  {
    pattern: `${journal}.md`,
    what: "one's own",
    ask: at(`${journal}.md`),
    expect: byRole(
      signIn,
      { status: 200, has: ["# My journal"], hasNot: ["Grace"] },
      { status: 200, has: ["# My journal"] },
    ),
  },
  {
    pattern: "/account/export",
    what: "reading is no use",
    ask: at("/account/export"),
    expect: 405,
  },
  {
    pattern: "/account/export",
    what: "everything about oneself",
    method: "POST",
    ask: () => ({ path: "/account/export", form: {} }),
    expect: byRole(
      { status: 303, location: /^\/auth\?redirect=/ },
      { status: 200, has: ["README.txt", "@example.com"], hasNot: ["Grace"] },
      { status: 200, has: ["A course of the world"] },
    ),
  },
];
