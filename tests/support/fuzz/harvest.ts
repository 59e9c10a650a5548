import { decode } from "../responses.ts";
import { routeTable } from "../route-table.ts";
import type { World } from "../world.ts";
import type { Fields } from "./mutate.ts";

/** A request as the site's own pages make it. */
export type Valid =
  | { kind: "page"; path: string }
  | { kind: "form"; path: string; fields: Fields }
  | { kind: "json"; method: "POST" | "PUT"; path: string; json: unknown };

/** Every address of the route table, with names of the world in the places of its parameters. */
export function addressesOf({ active, leaving, other, invitation }: World): string[] {
  const [module] = active.modules;
  const lesson = module?.lessons[0]?.id ?? "x";
  const ids: Record<string, string> = {
    "/admin/courses/:id": active.id,
    "/admin/modules/:id": module?.id ?? "x",
    "/admin/enrollments/:id": leaving.id,
    "/admin/students/:id": other.id,
  };
  const pages = routeTable.map(({ pattern }) =>
    pattern
      .replace(":slug", active.slug)
      .replace(":list", "courses")
      .replace(":id", ids[pattern] ?? lesson)
      .replace("*", "no/such/page"),
  );
  const queries = [
    ...["/auth?mode=sign-up&redirect=/courses", "/auth/reset?token=x", "/auth/verify?token=x"],
    ...[`/invitation?token=${invitation.token}`, "/admin/students?q=a&before=x&after=y"],
    ...[
      `/courses/${active.slug}/learn?lesson=open`,
      `/courses/${active.slug}/learn/media?lesson=open`,
    ],
    ...["/admin/students/search?q=ada", "/admin/mail?state=failed", "/newsletter/confirm?token=x"],
    ...["/mail-preferences?token=x", "/newsletter/unsubscribe?token=x", "/admin/slug?title=x"],
    ...["/healthz", "/robots.txt", "/plain.css", "/site.js", "/favicon.ico", "/_.data", "/uploads"],
    ...[
      "/media/course-audio/open/sound.mp3?expires=1&signature=x",
      "/uploads/0198f0f0",
      "/share/home.png",
    ],
  ];
  return [...pages, ...queries];
}

/** The forms of a page as it would send them. */
export function formsOf(html: string, page: string): Valid[] {
  const found = html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g);
  return [...found].flatMap(([, attributes = "", inside = ""]) => {
    if (!/method="post"/i.test(attributes)) return [];
    const action = /action="([^"]*)"/.exec(attributes)?.[1];
    const fields = [...inside.matchAll(/<(?:input|textarea|select|button)\b[^>]*>/g)].flatMap(
      ([tag]): Fields => {
        const name = /\bname="([^"]*)"/.exec(tag)?.[1];
        return name
          ? [[decode(name), decode(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "A1 word")]]
          : [];
      },
    );
    return [{ kind: "form" as const, path: action ? decode(action) : page, fields }];
  });
}

/** What scripts of the site, of mail programs and of Stripe send. */
export function operationsOf({ active }: World): Valid[] {
  const lesson = active.modules[0]?.lessons[0]?.id ?? "";
  const draftId = "0198f0f0-0000-7000-8000-000000000001";
  const answers = [{ question: "How was it?", answer: "It was." }];
  const account = { name: "Ada", email: "fuzz@example.com", password: "Correct-horse-9" };
  const learn = `/courses/${active.slug}/learn`;
  const writing = { userId: "x", draftId, baseRevision: 1, revision: 1, fields: { title: "a" } };
  const post = (path: string, json: unknown): Valid => ({
    kind: "json",
    method: "POST",
    path,
    json,
  });
  const put = (path: string, json: unknown): Valid => ({ kind: "json", method: "PUT", path, json });
  const auth = (path: string, json: unknown) => post(`/api/auth${path}`, json);
  return [
    put(`${learn}/draft`, { draftId, lessonId: lesson, revision: 1, answers }),
    put(`${learn}/position`, { lessonId: lesson, kind: "audio", seconds: 3, duration: 9 }),
    post(`${learn}/position`, { lessonId: lesson, kind: "audio", seconds: 3, duration: 9 }),
    put(`/admin/lessons/${lesson}/draft`, writing),
    post("/api/verify-admin", {}),
    post("/api/create-checkout", { productId: active.id, slug: active.slug }),
    post("/api/webhooks/stripe", { id: "evt_1", type: "checkout.session.completed", data: {} }),
    post("/api/webhooks/mail/brevo", { event: "hard_bounce", email: "ada@example.com" }),
    auth("/sign-up/email", account),
    auth("/sign-in/email", { ...account, rememberMe: true, callbackURL: "/courses" }),
    auth("/request-password-reset", { email: account.email, redirectTo: "/courses" }),
    auth("/send-verification-email", { email: account.email, callbackURL: "/courses" }),
    auth("/reset-password", { token: "x", newPassword: account.password }),
    auth("/sign-out", {}),
    auth("/get-session", {}),
    auth("/update-user", { name: "Eve", role: "admin" }),
    auth("/callback/google", { code: "x", state: "y" }),
    auth("/passkey/verify-authentication", {
      response: { id: "x", rawId: "x", type: "public-key" },
    }),
    auth("/passkey/verify-registration", { response: { id: "x" }, name: "key" }),
    { kind: "page", path: "/api/auth/passkey/generate-register-options?name=x" },
    { kind: "page", path: "/api/auth/passkey/generate-authenticate-options" },
    { kind: "page", path: "/api/auth/get-session?disableCookieCache=true" },
    { kind: "page", path: "/api/auth/token" },
    { kind: "page", path: "/api/auth/jwks" },
  ];
}
