// Who may import whom: docs/architecture.md says why. No exceptions, no circles.

/** Features and what each may use. A feature is above all that it uses, so none imports another back. */
const features = {
  "audit-log": [],
  suppressions: ["audit-log"],
  "email-log": ["audit-log"],
  newsletter: ["audit-log"],
  "subscriber-import": ["audit-log", "newsletter"],
  help: [],
  auth: ["audit-log"],
  accounts: ["auth", "audit-log"],
  pictures: ["audit-log"],
  recordings: ["audit-log", "pictures"],
  redirects: ["audit-log"],
  "share-cards": [],
  "newsletter-archive": ["newsletter", "share-cards"],
  versions: [],
  courses: ["audit-log", "pictures", "redirects", "versions"],
  "lesson-media": ["audit-log", "pictures"],
  drafts: [],
  pages: ["audit-log", "courses", "drafts", "pictures", "share-cards", "versions"],
  releases: ["audit-log", "courses", "pages", "pictures", "versions"],
  "lesson-editor": ["courses", "drafts", "lesson-media", "pictures", "versions", "audit-log"],
  enrollments: ["accounts", "auth", "courses", "audit-log"],
  journal: ["drafts", "enrollments", "help"],
  "lesson-emails": ["enrollments", "accounts", "help"],
  "newsletter-issues": [
    ...["audit-log", "courses", "drafts", "newsletter", "newsletter-archive", "pictures"],
    ...["recordings", "suppressions", "versions"],
  ],
  "course-emails": ["accounts", "courses", "enrollments", "help", "audit-log"],
  player: [
    ...["accounts", "drafts", "enrollments", "help", "journal", "lesson-emails", "lesson-media"],
    ...["pictures", "redirects"],
  ],
  payments: ["accounts", "courses", "enrollments", "audit-log"],
  readiness: ["auth", "email-log", "pages", "payments", "pictures"],
  figures: [
    ...["audit-log", "courses", "email-log", "enrollments", "help", "payments", "releases"],
    "suppressions",
  ],
  progress: ["courses", "enrollments", "figures", "newsletter", "payments", "audit-log"],
  "personal-data": ["accounts", "journal", "newsletter", "suppressions"],
};
/** Parts of the plumbing and what each may use: the same rule. */
const platform = {
  log: [],
  config: [],
  time: [],
  utils: ["log"],
  markdown: ["utils"],
  pictures: ["utils"],
  "share-cards": ["pictures", "utils"],
  stripe: ["config"],
  db: ["config", "log", "utils"],
  crypto: ["config", "db", "log", "utils"],
  storage: ["config", "crypto", "db", "log", "utils"],
  email: ["config", "db", "utils"],
  uploads: ["config", "db", "log", "storage", "utils"],
  auth: ["config", "crypto", "db", "log", "utils"],
  http: ["auth", "config", "crypto", "db", "email", "log", "storage", "stripe", "uploads", "utils"],
  doctor: ["config", "email"],
  jobs: ["db", "email", "http", "utils"],
  visits: ["db", "http"],
  pages: ["auth", "config", "db", "http", "log", "stripe", "utils", "visits"],
  explain: ["config", "db", "storage", "utils"],
  "db-copy": ["config", "crypto", "db", "explain", "utils"],
  backup: [
    ...["config", "crypto", "db", "db-copy", "explain", "log", "pictures", "storage", "uploads"],
    "utils",
  ],
};
const usesOf = (folder, rooms) => [
  ...Object.entries(rooms).map(([name, uses]) =>
    rule(
      `${name}-uses`,
      "A room may use the rooms that are listed for it, and no other: so none imports another back.",
      { path: `^app/${folder}/${name}/`, pathNot: "\\.test\\.ts$" },
      { path: `^app/${folder}/`, pathNot: `^app/${folder}/(${[name, ...uses].join("|")})/` },
    ),
  ),
  rule(
    `${folder}-are-listed`,
    "A new room is added to the list above.",
    { path: `^app/${folder}/`, pathNot: `^app/${folder}/(${Object.keys(rooms).join("|")})/` },
    {},
  ),
];
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule("no-circles", "A circle has no first file to read.", {}, { circular: true }),
    rule(
      "no-orphans",
      "Nothing imports this file.",
      {
        orphan: true,
        path: "^app/",
        pathNot: [
          "\\.d\\.ts$",
          "\\.test\\.ts$",
          "^app/(entry|root|routes|site)",
          "^app/server/main",
        ],
      },
      {},
    ),
    rule(
      "not-to-tests",
      "The product does not know its tests.",
      { path: "^app/", pathNot: "\\.test\\.ts$" },
      { path: "(^tests/|\\.test\\.ts$)" },
    ),
    rule(
      "routes-apart",
      "Routes do not import routes, but for the frame, the head, the error, answer and print pages of them all.",
      { path: "^app/routes/(.+)$" },
      {
        path: "^app/routes/",
        pathNot: [
          "^app/routes/$1",
          "/\\+types/",
          "^app/routes/(frame|page-head|error-page|answer-page|print-page)\\.tsx$",
          "/course-page(\\.server)?\\.tsx?$",
        ],
      },
    ),
    rule(
      "only-the-root-imports-routes",
      "Routes are leaves.",
      { path: "^app/(features|ui|platform)/" },
      { path: "^app/(routes|server)/|^app/root" },
    ),
    ...usesOf("features", features),
    ...usesOf("platform", platform),
    rule(
      "ui-for-showing",
      "Only components and emails show something.",
      { path: "^app/features/", pathNot: "/(components|emails)/" },
      { path: "^app/ui/" },
    ),
    rule(
      "platform-for-the-server",
      "Only server files of a feature use the plumbing.",
      { path: "^app/features/", pathNot: "(\\.server\\.ts$|\\.test\\.ts$)" },
      { path: "^app/platform/" },
    ),
    rule(
      "server-files-stay",
      "What a browser loads imports no server file, but for types.",
      { path: "^app/features/", pathNot: "(\\.server\\.ts$|\\.test\\.ts$)" },
      { path: "\\.server\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "plain-files-are-pure",
      "A plain .ts file of a feature (rules, schema, messages) imports its own kind, the shapes of the words, zod and diff.",
      { path: "^app/features/[^/]+/[^/]+(?<!\\.server|\\.test)\\.ts$" },
      {
        pathNot: [
          "^app/features/[^/]+/[^/]+(?<!\\.server|\\.test)\\.ts$",
          "^content/(fields|share|site)\\.ts$",
          "(^|node_modules/)(zod|diff)/",
        ],
      },
    ),
    rule(
      "ui-alone",
      "The design system knows React, its primitives and itself.",
      { path: "^app/ui/", pathNot: "^app/ui/email/" },
      { path: "^(app|content)/", pathNot: "^app/ui/" },
    ),
    rule(
      "ui-of-emails",
      "What emails are made of knows the site as well: they are signed with the coach's name.",
      { path: "^app/ui/email/" },
      { path: "^(app|content)/", pathNot: "^(app/ui/|content/use-site\\.ts$)" },
    ),
    rule(
      "platform-alone",
      "The plumbing knows libraries, itself, and the public words of the site.",
      { path: "^app/platform/", pathNot: "\\.test\\.ts$" },
      { path: "^(app|content)/", pathNot: "^(app/platform/|content/(fields|use-site)\\.ts$)" },
    ),
    rule(
      "site-script-for-itself",
      "What else a browser loads finds the effects of site.ts in the document, not its code.",
      { pathNot: "^app/site(/|\\.ts$)" },
      { path: "^app/site(/|\\.ts$)" },
    ),
    rule(
      "site-script-alone",
      "The one script of public pages imports nothing but its own parts.",
      { path: "^app/site(/|\\.ts$)" },
      { pathNot: "^app/site/" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(/\\+types/|^build/|\\.react-router)" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json"] },
  },
};
