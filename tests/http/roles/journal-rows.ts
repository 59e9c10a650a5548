import { newId } from "~/platform/db/ids.ts";
import {
  byRole,
  del,
  found,
  get,
  ok,
  page,
  post,
  type Row,
  seeOther,
  signedOutJson,
} from "./row.ts";

const signIn = found(/^\/auth\?redirect=\/my-courses\/journal/);
const empty = ok("Nothing written yet");
const journal = "/my-courses/journal";

export const journalRows: Row[] = [
  page(journal, "one's own words, and no one else's", byRole(signIn, empty)),
  page(journal, "an entry of somebody else", byRole(signIn, empty), ({ world }) => {
    const id = world.active.modules[0]?.lessons[0]?.id;
    return { path: `${journal}?edit=${id}.0&delete=${id}` };
  }),
  post(
    journal,
    "changing an answer of somebody else",
    byRole({ status: 401, has: ["not theirs"] }, { status: 404, has: ["not theirs"] }),
    ({ world }) => ({
      path: `${journal}?edit=${world.active.modules[0]?.lessons[0]?.id}.0&version=x`,
      multipart: [["answer", "not theirs"]],
    }),
  ),
  post(
    journal,
    "deleting everything",
    byRole(signIn, seeOther(journal, "It is not there any more.")),
    () => ({ form: { intent: "delete", target: "all", version: newId() } }),
  ),
  page(
    `${journal}/book`,
    "one's own",
    byRole(signIn, { status: 200, has: ["Ada"], hasNot: ["Grace"] }, 200),
  ),
  get(
    `${journal}.md`,
    "one's own",
    byRole(signIn, { status: 200, has: ["# My journal"], hasNot: ["Grace"] }, ok("# My journal")),
  ),
  page(`${journal}/picture/:id`, "a photograph that is not one's own", byRole(signIn, 404), () => ({
    id: newId(),
  })),
  post(
    `${journal}/picture/:id`,
    "adding no photograph",
    byRole(signedOutJson, { status: 401, has: ["signed out"] }),
    () => ({ id: newId(), multipart: [["userId", newId()]] }),
  ),
  post(
    `${journal}/picture/:id`,
    "adding a photograph to an open lesson",
    byRole(signedOutJson, 403, { status: 400, has: ["not a picture"] }, 403, {
      other: { status: 401, has: ["signed out"] },
    }),
    ({ world, as }) => ({
      id: newId(),
      multipart: [
        ["userId", as?.id ?? ""],
        ["lessonId", world.active.modules[0]?.lessons[0]?.id ?? ""],
        ["picture", new Blob(["words"])],
      ],
    }),
  ),
  del(
    `${journal}/picture/:id`,
    "deleting one that is not one's own",
    byRole(signedOutJson, 204),
    () => ({
      id: newId(),
    }),
  ),
  get("/account/export", "reading is no use", 405),
  post(
    "/account/export",
    "everything about oneself",
    byRole(
      seeOther(/^\/auth\?redirect=/),
      { status: 200, has: ["README.txt", "@example.com"], hasNot: ["Grace"] },
      ok("A course of the world"),
    ),
    { form: {} },
  ),
];
