import { newId } from "~/platform/db/ids.ts";
import { at, type Row, same } from "./row.ts";

const signup = () => ({ firstName: "Ada", email: `${newId()}@example.com` });
const noToken = same({ status: 400, has: ["This link does not work"] });

export const newsletterRows: Row[] = [
  {
    pattern: "/newsletter",
    what: "the form",
    page: true,
    ask: at("/newsletter"),
    expect: same({ status: 200, has: ["Join my weekly newsletter"] }),
  },
  {
    pattern: "/newsletter",
    what: "a signup",
    method: "POST",
    ask: () => ({ path: "/newsletter", form: signup() }),
    expect: same({ status: 303, location: "/thank-you" }),
  },
  {
    pattern: "/newsletter",
    what: "a signup by script",
    method: "POST",
    ask: () => ({
      path: "/newsletter",
      form: signup(),
      headers: { accept: "application/json" },
    }),
    expect: same({ status: 200, has: ['{"ok":true}'] }),
  },
  {
    pattern: "/newsletter",
    what: "an empty form",
    method: "POST",
    ask: () => ({ path: "/newsletter", form: {} }),
    expect: 400,
  },
  {
    pattern: "/newsletter/confirm",
    what: "without its token",
    page: true,
    ask: at("/newsletter/confirm"),
    expect: noToken,
  },
  {
    pattern: "/newsletter/confirm",
    what: "a press without its token",
    method: "POST",
    ask: () => ({ path: "/newsletter/confirm", form: {} }),
    expect: noToken,
  },
  {
    pattern: "/newsletter/confirmed",
    what: "the page",
    page: true,
    ask: at("/newsletter/confirmed"),
    expect: 200,
  },
  {
    pattern: "/newsletter/unsubscribe",
    what: "without its token",
    page: true,
    ask: at("/newsletter/unsubscribe"),
    expect: noToken,
  },
  {
    pattern: "/newsletter/unsubscribe",
    what: "a press without its token",
    method: "POST",
    ask: () => ({ path: "/newsletter/unsubscribe", form: {} }),
    expect: noToken,
  },
  {
    pattern: "/newsletter/unsubscribe",
    what: "a mail program's click without its token",
    method: "POST",
    ask: () => ({
      path: "/newsletter/unsubscribe",
      form: { "List-Unsubscribe": "One-Click" },
      origin: null,
    }),
    expect: 400,
  },
  {
    pattern: "/newsletter/unsubscribed",
    what: "the page",
    page: true,
    ask: at("/newsletter/unsubscribed"),
    expect: 200,
  },
];
