import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { eventHandlers } from "~/features/payments/webhook.server.ts";
import { environment } from "~/platform/config/schema.ts";
import { aboutPng } from "~/platform/share-cards/png.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { temporaryFolder } from "../../support/config.ts";
import { buildImage, dockerfile, startContainer, stepsOf } from "../../support/image.ts";

const read = (name: string) => readFileSync(path.join(projectRoot, name), "utf8");
const { scripts, version } = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  version: string;
};
const settings = new Set(Object.keys(environment.shape));
/** Of other programs, of the tests, or of a second provider. */
const others = new Set([
  ...["POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "PGPASSWORD", "NODE_ENV"],
  ...["SITE_ADDRESS", "SITE_UPSTREAM", "TEST_DATABASE_URL", "CMD_SHELL"],
  ...["OIDC_2_ISSUER", "MALLOC_ARENA_MAX"],
]);

describe("what is written for anyone who runs the site", () => {
  const files = [
    ...["README.md", "SECURITY.md", "docs/operating.md", "docs/security.md"],
    ...globSync("deploy/*", { cwd: projectRoot }),
  ];

  test.each(files)("%s names only commands and settings that there are", (name) => {
    const text = read(name);
    const commands = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, word]) => word);
    expect(commands.filter((word) => !scripts[word ?? ""])).toEqual([]);
    const known = read("app/server/cli.ts") + read("app/server/maintenance.ts");
    for (const [, word] of text.matchAll(/scripts\/command\.ts ([\w:]+)/g))
      expect(known).toMatch(new RegExp(`async "?${word}"?\\(`));
    const names = [...text.matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([word]) => word);
    expect(
      names.filter((word) => !/^AF_/.test(word) && !settings.has(word) && !others.has(word)),
    ).toEqual([]);
    for (const [, target = ""] of text.matchAll(/\]\(((?!http)[^)#]+)\)/g))
      expect(existsSync(path.join(projectRoot, path.dirname(name), target)), target).toBe(true);
  });

  test("operating.md names the events of Stripe that are listened to", () => {
    const named = [...read("docs/operating.md").matchAll(/^[a-z]+(?:\.[a-z_]+)+$/gm)];
    expect(named.map(([event]) => event).toSorted()).toEqual([...eventHandlers.keys()].toSorted());
  });
});

describe("deploy/", () => {
  type Service = {
    environment?: Record<string, string>;
    healthcheck?: { test: string[] };
    volumes?: string[];
    ports?: string[];
    depends_on?: Record<string, { condition: string }>;
    build?: { context: string; dockerfile: string };
    deploy?: { replicas: number };
    env_file?: string;
  };
  const { services, volumes } = parse(read("deploy/compose.yaml")) as {
    services: Record<"database" | "site" | "caddy", Service>;
    volumes: Record<string, null>;
  };

  test("compose.yaml fits together", () => {
    for (const { volumes: used = [], depends_on = {} } of Object.values(services)) {
      for (const volume of used) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("."))
          expect(existsSync(path.join(projectRoot, "deploy", source)), volume).toBe(true);
        else expect(volumes, volume).toHaveProperty(source);
      }
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
    }
    const { site, database, caddy } = services;
    expect(site.deploy?.replicas).toBeGreaterThan(1);
    expect(path.join("deploy", site.build?.context ?? "", site.build?.dockerfile ?? "")).toBe(
      "deploy/Dockerfile",
    );
    // What the image is told beside this is in .env: each must be a setting, with a good value.
    const given = Object.keys(site.environment ?? {}).filter((name) => !settings.has(name));
    expect(given).toEqual([]);
    const url = site.environment?.DATABASE_URL?.replace(/\$\{[^}]+\}/, "word") ?? "";
    const parsed = environment.safeParse({ ...site.environment, DATABASE_URL: url });
    expect(parsed.error?.issues ?? []).toEqual([]);
    expect(new URL(url)).toMatchObject({
      hostname: "database",
      username: database.environment?.POSTGRES_USER,
      pathname: `/${database.environment?.POSTGRES_DB}`,
    });
    expect(caddy.environment?.SITE_UPSTREAM).toBe(`site:${site.environment?.PORT}`);
    expect(site.environment?.TRUSTED_PROXIES).toBe("1");
    // Only Caddy is reached from outside.
    expect([site.ports, database.ports]).toEqual([undefined, undefined]);
    expect(database.healthcheck?.test.join(" ")).toContain(
      `pg_isready -U ${database.environment?.POSTGRES_USER}`,
    );
    expect(read("deploy/Caddyfile")).toContain("{$SITE_UPSTREAM:");
  });

  test("the Dockerfile has no fault that a linter finds, and Node's version is the project's", () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([]);
    const lock = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { version: string }>;
    };
    const node = lock.packages["node_modules/node"]?.version;
    for (const from of stepsOf("FROM")) expect(from).toContain(`node:${node}-`);
    expect(stepsOf("USER").at(-1)).toBe("node");
    const last = stepsOf("CMD").at(-1) ?? "";
    const words = scripts.start?.split(" ") ?? [];
    expect(words).toEqual(["node", "--max-semi-space-size=8", "scripts/start.ts"]);
    expect(JSON.parse(last)).toEqual([...words, "--built"]);
    const service = read("deploy/blue-dot.service");
    expect(service).toContain(`.bin/${words.join(" ")} --built\n`);
    const memory = /^Environment=(MALLOC_.+)$/m.exec(service)?.[1];
    expect(stepsOf("ENV")).toContain(memory);
  });

  test("the built server imports nothing that `npm install --omit=dev` would leave out", () => {
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };
    const importing =
      /^(?:import|export)\b[^;\n]*?from ?"([^"]+)"|^import "([^"]+)"|\b(?:import|require)\(\s*"([^"]+)"/gm;
    const files = globSync("build/server/**/*.js", { cwd: projectRoot });
    expect(files.length).toBeGreaterThan(1);
    const missing = files
      .flatMap((file) => [...read(file).matchAll(importing)])
      .map(([, one, two, three]) => one ?? two ?? three ?? "")
      .filter((name) => !name.startsWith(".") && !isBuiltin(name))
      .filter(
        (name) => !Object.keys(dependencies).some((known) => `${name}/`.startsWith(`${known}/`)),
      );
    expect(missing).toEqual([]);
    // Of an exact version: the site runs on it, whatever the machine has.
    expect(dependencies).toHaveProperty("node");
  });

  test("what the image holds is enough to serve, to be asked for its health, and to be stopped", {
    timeout: 60_000,
  }, async () => {
    const site = await startContainer(buildImage(), temporaryFolder(), {});
    expect(site.health()).toBe(0);
    const answer = await fetch(`${site.url}/healthz`);
    expect(await answer.json()).toMatchObject({ status: "ok", version });
    expect(await site.stop()).toBe(0);
    expect(site.health()).toBe(1);
  });

  test("what the image holds is enough to draw a share picture", () => {
    const maker = path.join(buildImage(), "build", "server", "share-card-maker.js");
    const card = { brand: "Blue Dot", title: "Łódź, where we lived", line: "", drawing: "stones" };
    const drawn = spawnSync(process.execPath, [maker], { input: JSON.stringify(card), env: {} });
    expect(drawn.stderr.toString()).toBe("");
    expect(aboutPng(drawn.stdout)).toMatchObject({ width: 1200, height: 630 });
  });

  test.each(["blue-dot", "blue-dot-backup"])(
    "%s.service is a unit, and what it starts is there",
    (name) => {
      const unit = unitOf(`${name}.service`);
      const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
      const [program = "", script = ""] = command
        .split(" ")
        .filter((word) => !word.startsWith("-"));
      expect([existsSync(program), existsSync(path.join(projectRoot, script))]).toEqual([
        true,
        true,
      ]);
    },
  );

  test("systemd finds nothing wrong with the units", (context) => {
    const folder = temporaryFolder();
    const names = ["blue-dot.service", "blue-dot-backup.service", "blue-dot-backup.timer"];
    const files = names.map((name) => path.join(folder, name));
    for (const file of files) writeFileSync(file, unitOf(path.basename(file)));
    const { status, stderr, error } = spawnSync("systemd-analyze", ["verify", ...files], {
      encoding: "utf8",
    });
    if (error) context.skip("systemd-analyze is not here");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

/** A unit of deploy/, as if the project stood where it is meant to. */
const unitOf = (name: string) =>
  read(path.join("deploy", name)).replaceAll("/srv/blue-dot", projectRoot);
