import { newId } from "~/platform/db/ids.ts";
import { get, ok, page, post, type Row, seeOther } from "./row.ts";

const signup = () => ({ firstName: "Ada", email: `${newId()}@example.com` });
const noToken = { status: 400, has: ["This link does not work"] };

export const newsletterRows: Row[] = [
  page("/newsletter", "the form", ok("Join my weekly newsletter")),
  post("/newsletter", "a signup", seeOther("/thank-you"), () => ({ form: signup() })),
  post("/newsletter", "a signup by script", ok('{"ok":true,'), () => ({
    form: signup(),
    headers: { accept: "application/json" },
  })),
  post("/newsletter", "an empty form", 400, { form: {} }),
  page("/newsletter/confirm", "without its token", noToken),
  post("/newsletter/confirm", "a press without its token", noToken, { form: {} }),
  page("/newsletter/confirmed", "the page", 200),
  page("/newsletter/unsubscribe", "without its token", noToken),
  post("/newsletter/unsubscribe", "a press without its token", noToken, { form: {} }),
  post("/newsletter/unsubscribe", "a mail program's click without its token", 400, {
    form: { "List-Unsubscribe": "One-Click" },
    origin: null,
  }),
  page("/newsletter/unsubscribed", "the page", 200),
  post(
    "/newsletter/unsubscribed",
    "a reason without its token",
    seeOther("/newsletter/unsubscribed"),
    {
      form: { reason: "often" },
    },
  ),
  page("/newsletter/frequency", "without its token", noToken),
  post("/newsletter/frequency", "a press without its token", noToken, {
    form: { change: "monthly" },
  }),
  page("/newsletter/archive", "the page", ok("The newsletter so far")),
  page("/newsletter/archive/:year", "a year without issues", 404),
  page("/newsletter/:slug", "no issue", 404),
  get("/newsletter/feed.xml", "the feed", ok("<feed ")),
];
