import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { writeIssue } from "../../../support/issue-sending.ts";
import { adminAt, ok, type Row, seeOther } from "../row.ts";

const list = "/admin/newsletter";
const issues = `${list}/issues`;
type Asked = { services: Services };
const written = async ({ services }: Asked, rest = "") =>
  `${issues}/${await writeIssue(services)}${rest}`;

const desk = adminAt(list);
const issue = adminAt(`${issues}/:id`);
const draft = adminAt(`${issues}/:id/draft`);
const preview = adminAt(`${issues}/:id/preview`);
const send = adminAt(`${issues}/:id/send`);
const history = adminAt(`${issues}/:id/history`);
const another = seeOther(/^\/admin\/newsletter\/issues\//);
const told = (toast: string) => seeOther(/^\/admin\/newsletter\/issues\//, toast);

export const issueRows: Row[] = [
  desk.page("the issues", ok("Issues")),
  desk.post("beginning one", another, { form: {} }),
  desk.post("the last issue for new readers", seeOther(list, "New readers get the last issue"), {
    form: { intent: "last-issue", lastIssue: "on" },
  }),
  issue.page("a draft", ok("The empty chair"), (asked) => written(asked)),
  issue.page("one that is not there", 404, `${issues}/${newId()}`),
  issue.post("a button that there is not", told("Error"), async (asked) => ({
    path: await written(asked),
    form: { intent: "explode" },
  })),
  issue.post("a copy", told("Copied"), async (asked) => ({
    path: await written(asked),
    form: { intent: "duplicate" },
  })),
  issue.post("deleting it", seeOther(list, "Draft deleted"), async (asked) => ({
    path: await written(asked),
    form: { intent: "delete" },
  })),
  draft.get("reading", 405, (asked) => written(asked, "/draft")),
  draft.post("a form", 405, async (asked) => ({ path: await written(asked, "/draft"), form: {} })),
  draft.put("an autosave that is none", 400, async (asked) => ({
    path: await written(asked, "/draft"),
    json: { subject: 1 },
  })),
  preview.page("the email", ok("It is autumn"), (asked) => written(asked, "/preview?as=phone")),
  send.page("a draft", ok("Who gets it"), (asked) => written(asked, "/send")),
  send.post("without readers", 400, async (asked) => ({
    path: await written(asked, "/send"),
    form: { intent: "review", kind: "new-since", since: "2199-01-01" },
  })),
  history.page("its versions", ok("History"), (asked) => written(asked, "/history")),
  history.post("a version that there is not", 404, async (asked) => ({
    path: await written(asked, "/history"),
    form: { number: "99" },
  })),
];
