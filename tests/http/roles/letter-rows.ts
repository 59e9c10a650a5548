import { emailPreferencesUrl } from "~/features/accounts/email-preferences.server.ts";
import { at, byRole, type Given, type Row, same } from "./row.ts";

const noToken = same({ status: 400, has: ["This link does not work"] });
const own = { status: 200, has: ["Your emails", "You finished a module"] };

/** Somebody else's letters, by the link of one of them. */
function byLink({ services, world }: Given, page = "") {
  const { pathname, search } = new URL(emailPreferencesUrl(services, world.other.id));
  return `${pathname}${page}${search}`;
}

export const letterRows: Row[] = [
  {
    pattern: "/mail-preferences",
    what: "one's own letters",
    page: true,
    ask: at("/mail-preferences"),
    expect: byRole({ status: 302, location: "/auth?redirect=/mail-preferences" }, own, own),
  },
  {
    pattern: "/mail-preferences",
    what: "by the link of a letter",
    page: true,
    ask: (given) => ({ path: byLink(given) }),
    expect: same({ ...own, hasNot: ["Grace", "person-"] }),
  },
  {
    pattern: "/mail-preferences",
    what: "by a link that is not ours",
    page: true,
    ask: at("/mail-preferences?token=none"),
    expect: noToken,
  },
  {
    pattern: "/mail-preferences",
    what: "one's own choice",
    method: "POST",
    ask: () => ({ path: "/mail-preferences", form: { "letter-shown": "module-completed" } }),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/mail-preferences" },
      { status: 303, location: "/mail-preferences", toast: "Email preferences saved" },
      { status: 303, location: "/mail-preferences", toast: "Email preferences saved" },
    ),
  },
  {
    pattern: "/mail-preferences/off",
    what: "without its token",
    page: true,
    ask: at("/mail-preferences/off"),
    expect: noToken,
  },
  {
    pattern: "/mail-preferences/off",
    what: "by the link of a letter",
    page: true,
    ask: (given) => ({ path: `${byLink(given, "/off")}&letter=lesson-opened` }),
    expect: same({
      status: 200,
      has: ["Shall I stop writing?"],
      hasNot: ["Grace", "person-"],
    }),
  },
  {
    pattern: "/mail-preferences/off",
    what: "a press without its token",
    method: "POST",
    ask: () => ({ path: "/mail-preferences/off", form: {} }),
    expect: noToken,
  },
  {
    pattern: "/mail-preferences/off",
    what: "a mail program's click without its token",
    method: "POST",
    ask: () => ({
      path: "/mail-preferences/off",
      form: { "List-Unsubscribe": "One-Click" },
      origin: null,
    }),
    expect: 400,
  },
];
