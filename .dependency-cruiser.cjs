// Who may import whom: docs/architecture.md says why. No exceptions, no circles.
const noun = "^app/features/([^/]+)/";
const before = {
  accounts: [],
  courses: ["accounts"],
  enrollments: ["accounts", "courses"],
  learning: ["accounts", "courses", "enrollments"],
  payments: ["accounts", "courses", "enrollments"],
  newsletter: [],
  mail: ["accounts"],
};
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule("no-circles", "A circle has no first file to read.", {}, { circular: true }),
    rule(
      "no-orphans",
      "Nobody reaches this file.",
      {
        orphan: true,
        path: "^app/",
        pathNot: ["\\.d\\.ts$", "\\.test\\.ts$", "^app/(entry|root|routes|main|site)"],
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
      "Routes do not import routes; what they share is a feature or ui.",
      { path: "^app/routes/(.+)$" },
      { path: "^app/routes/", pathNot: ["^app/routes/$1", "/\\+types/", "^app/routes/dev/"] },
    ),
    rule(
      "only-the-root-imports-routes",
      "Routes are leaves.",
      { path: "^app/(features|ui|platform)/" },
      { path: "^app/(routes/|root|server|process|services|jobs|cli|main)" },
    ),
    ...Object.entries(before).map(([name, earlier]) =>
      rule(
        `${name}-looks-left`,
        "A feature may use those to its left: accounts, courses, enrollments, {learning, payments}; newsletter stands alone; mail, of all work for later, knows accounts.",
        { path: `^app/features/${name}/` },
        { path: noun, pathNot: `^app/features/(${[name, ...earlier].join("|")})/` },
      ),
    ),
    rule(
      "ui-for-showing",
      "Only components and mails show something.",
      { path: "^app/features/", pathNot: "/(components|emails)/" },
      { path: "^app/ui/" },
    ),
    rule(
      "platform-for-the-server",
      "Only server files of a feature reach for the plumbing.",
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
      "rules-are-pure",
      "rules, schema and texts import each other and zod.",
      { path: "^app/features/.*/(rules|schema|texts)\\.ts$" },
      { pathNot: ["/(rules|schema|texts)\\.ts$", "node_modules/zod/"] },
    ),
    rule(
      "ui-alone",
      "The design system knows React, its primitives and itself.",
      { path: "^app/ui/" },
      { path: "^(app|content)/", pathNot: "^app/ui/" },
    ),
    rule(
      "platform-alone",
      "The plumbing knows libraries and itself.",
      { path: "^app/platform/", pathNot: "\\.test\\.ts$" },
      { path: "^(app|content)/", pathNot: "^app/platform/" },
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
