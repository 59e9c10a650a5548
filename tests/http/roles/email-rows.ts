import { emailPreferencesUrl } from "~/features/accounts/email-preferences.server.ts";
import { byRole, found, type Given, ok, page, post, type Row, seeOther } from "./row.ts";

const noToken = { status: 400, has: ["This link does not work"] };
const own = ok("Your emails", "You finished a module");

/** Someone else's emails, by the link of one of them. */
function byLink({ services, world }: Given, page = "") {
  const { pathname, search } = new URL(emailPreferencesUrl(services, world.other.id));
  return `${pathname}${page}${search}`;
}

export const emailRows: Row[] = [
  page(
    "/mail-preferences",
    "one's own emails",
    byRole(found("/auth?redirect=/mail-preferences"), own),
  ),
  page(
    "/mail-preferences",
    "by the link of an email",
    { ...own, hasNot: ["Grace", "person-"] },
    (given) => byLink(given),
  ),
  page("/mail-preferences", "by a link that is not ours", noToken, "/mail-preferences?token=none"),
  post(
    "/mail-preferences",
    "one's own choice",
    byRole(
      found("/auth?redirect=/mail-preferences"),
      seeOther("/mail-preferences", "Email preferences saved"),
    ),
    { form: { "kind-shown": "module-completed" } },
  ),
  page("/mail-preferences/off", "without its token", noToken),
  page(
    "/mail-preferences/off",
    "by the link of an email",
    { status: 200, has: ["Shall I stop writing?"], hasNot: ["Grace", "person-"] },
    (given) => `${byLink(given, "/off")}&kind=lesson-opened`,
  ),
  post("/mail-preferences/off", "a press without its token", noToken, { form: {} }),
  post("/mail-preferences/off", "a mail program's click without its token", 400, {
    form: { "List-Unsubscribe": "One-Click" },
    origin: null,
  }),
];
