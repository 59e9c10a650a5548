import { at, byRole, type Row, same } from "./row.ts";

export const siteRows: Row[] = [
  { pattern: "/", what: "the first page", page: true, ask: at("/"), expect: 200 },
  {
    pattern: "/*",
    what: "any other path",
    page: true,
    ask: at("/no/such/page"),
    expect: same({ status: 404, has: ["Page Not Found"] }),
  },
  { pattern: "/healthz", what: "asked", ask: at("/healthz"), expect: 200 },
  {
    pattern: "/healthz",
    what: "told",
    method: "POST",
    ask: () => ({ path: "/healthz", form: {} }),
    expect: 405,
  },
  {
    pattern: "/media/*",
    what: "an unsigned address",
    ask: at("/media/course-audio/open/sound.mp3"),
    expect: 403,
  },
  {
    pattern: "/media/*",
    what: "a signed address is good for whoever has it",
    ask: ({ services }) => ({
      path: services.storage.signedUrl("course-audio", "open/sound.mp3", services.clock.now()),
    }),
    expect: 200,
  },
  {
    pattern: "/api/auth/*",
    what: "one's own session",
    ask: at("/api/auth/get-session"),
    expect: byRole(
      { status: 200, has: ["null"] },
      { status: 200, has: ['"role":"student"'] },
      { status: 200, has: ['"role":"student"'] },
      { status: 200, has: ['"role":"admin"'] },
    ),
  },
  {
    pattern: "/api/verify-admin",
    what: "is this an administrator",
    method: "POST",
    ask: () => ({ path: "/api/verify-admin", json: {} }),
    expect: byRole(
      { status: 200, has: ['{"isAdmin":false}'] },
      { status: 200, has: ['{"isAdmin":false}'] },
      { status: 200, has: ['{"isAdmin":false}'] },
      { status: 200, has: ['{"isAdmin":true}'] },
    ),
  },
  { pattern: "/api/verify-admin", what: "by GET", ask: at("/api/verify-admin"), expect: 405 },
  {
    pattern: "/api/*",
    what: "no such operation",
    ask: at("/api/none"),
    expect: same({ status: 404, has: ['"not_found"'] }),
  },
];
