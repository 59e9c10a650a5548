import { existsSync, readFileSync, rmSync } from "node:fs";
import { isIPv6 } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "~/platform/config/config.ts";
import { environment } from "~/platform/config/schema.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { statement } from "../../support/database-dump.ts";
import { buildImage, startContainer, stepsOf } from "../../support/image.ts";
import { cookieOf, createPerson } from "../../support/people.ts";

const read = (name: string) => readFileSync(path.join(projectRoot, name), "utf8");
const text = read("deploy/compose.yaml");
const manual = read("docs/operating.md");
type Service = {
  environment?: Record<string, string>;
  volumes?: string[];
  deploy?: { replicas: number };
};
type Compose = {
  services: Record<"database" | "site" | "caddy", Service>;
  networks: { default: { enable_ipv6: boolean; ipam: { config: { subnet: string }[] } } };
};
const { services, networks } = parse(text) as Compose;

describe("compose.yaml", () => {
  test("has no word in it that no one sets, and the Caddyfile none that it does not", () => {
    const asked = [...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    // Those that are no settings of the site are named where its others are.
    const unknown = asked.filter((name) => !Object.hasOwn(environment.shape, name));
    expect(new Set(unknown)).toEqual(new Set(["POSTGRES_PASSWORD", "SITE_ADDRESS"]));
    expect(manual).toMatch(/In `\.env`: `APP_URL`, `AUTH_SECRET` and\s+`POSTGRES_PASSWORD`/);
    expect(manual).toContain("`SITE_ADDRESS=https://example.com, https://www.example.com`");
    const [, ...named] = [
      "",
      ...[...read("deploy/Caddyfile").matchAll(/\{\$(\w+):/g)].map(([, name]) => name),
    ];
    expect(named.toSorted()).toEqual(Object.keys(services.caddy.environment ?? {}).toSorted());
  });

  test("stores what the site writes in volumes that its user may write to", () => {
    const [making = ""] = stepsOf("RUN").filter((line) => line.includes("chown"));
    const [, made = ""] = /chown \w+:\w+ (.*)$/.exec(making) ?? [];
    const targets = (services.site.volumes ?? []).map((volume) => volume.split(":")[1]);
    expect(targets).toEqual(["/data", "/backups"]);
    for (const target of targets) expect(made.split(" ")).toContain(target);
    expect(services.site.environment?.DATA_DIR).toBe("/data");
  });

  test("lets visitors over IPv6 keep their own addresses", () => {
    const [{ subnet = "" } = {}, ...more] = networks.default.ipam.config;
    expect([networks.default.enable_ipv6, more]).toEqual([true, []]);
    const [address = "", bits] = subnet.split("/");
    // One of those that are no one's on the internet.
    expect([isIPv6(address), /^fd[0-9a-f]{2}:/.test(address), bits]).toEqual([true, true, "64"]);
  });

  test("is described by commands that name it, its services and files that are there", () => {
    const lines = manual.split("\n").filter((line) => /(^|&& )docker compose /.test(line));
    expect(lines).toHaveLength(10);
    for (const line of lines) {
      const [, file = "", words = ""] = /--env-file \.env -f (\S+) (.*)$/.exec(line) ?? [];
      expect(existsSync(path.join(projectRoot, file)), line).toBe(true);
      const [, service] = /^(?:logs|stop|exec -T|run --rm -T|cp) (\w+)/.exec(words) ?? [];
      if (service) expect(services, line).toHaveProperty(service);
    }
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)(
  "containers of the image, as compose.yaml starts them",
  {
    timeout: 120_000,
  },
  () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>;
    let all: Awaited<ReturnType<typeof startContainer>>[] = [];
    const dataDir = temporaryFolder();
    let env: Record<string, string>;

    beforeAll(async () => {
      database = await freshDatabase();
      // What is said there, but for the name of another container and what .env has.
      env = {
        ...services.site.environment,
        DATABASE_URL: database.url ?? "",
        AUTH_SECRET: "s".repeat(64),
        APP_URL: "https://grief.example",
      };
      const image = buildImage();
      const many = Array.from({ length: services.site.deploy?.replicas ?? 0 });
      all = await Promise.all(many.map(() => startContainer(image, dataDir, env)));
    });
    afterAll(async () => {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });

    test("are one site, store its data in PostgreSQL, and can be backed up from one of them", async () => {
      expect(all.map(({ health }) => health())).toEqual(all.map(() => 0));
      const config = loadConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: "silent" });
      const inside = await openServices(config);
      const coach = await createPerson(inside, { role: "admin" });
      // As a browser has it from an address with https.
      const cookie = `__Host-${await cookieOf(inside, coach.id)}`;
      await closeServices(inside);
      for (const { url } of all) {
        const page = await fetch(`${url}/admin`, { headers: { cookie }, redirect: "manual" });
        expect(page.status).toBe(200);
      }
      expect(existsSync(path.join(dataDir, "site.db"))).toBe(false);

      const [, script = "", words = ""] =
        /exec -T site npm run (\w+) -- \/backups (.*)$/m.exec(manual) ?? [];
      const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
      const [, ...program] = (scripts[script] ?? "").split(" ");
      const folder = temporaryFolder();
      const kept = all[0]?.exec([...program, folder, ...words.split(" ")]);
      expect([kept?.status, kept?.stderr]).toEqual([0, ""]);
      expect(kept?.stdout).toContain("(postgres)");

      const url = database.url ?? "";
      const asking =
        "select count(*)::int as n from pg_stat_activity where datname = current_database()";
      expect(await Promise.all(all.map(({ stop }) => stop()))).toEqual(all.map(() => 0));
      expect(await statement({ url }, asking)).toEqual([{ n: 1 }]);
    });
  },
);
