import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/support/config.ts";
import { projectRoot } from "../utils/version.ts";
import { ConfigError, loadConfig, writeSecret } from "./config.ts";
import { environment } from "./schema.ts";

const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: temporaryFolder(), ...env });

/** The lines that the start would print. */
function mistakes(env: Record<string, string>): string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

const whole = "must be a whole number from 0 to 65535";
const address = (protocols: string) => `must be an address like ${protocols}`;
const web = address("http://… or https://…");
const onOff = "must be 'on' or 'off'";
const postgres = address("postgres://… or postgresql://…");
const secret = "s".repeat(32);
const alone =
  "must be the site's address alone, e.g. https://example.com, without a path or a name";
const withSender = { MAIL_FROM: "a@example.com" };
const withEmail = { ADMIN_EMAIL: "a@example.com" };
const notAKey = "must be 32 bytes as base64 or hex, e.g. what 'openssl rand -base64 32' prints";

const bad: [keyof typeof environment.shape, string, string | RegExp, Record<string, string>?][] = [
  ...["abc", "-1", "65536", "80.5"].map((value): (typeof bad)[number] => ["PORT", value, whole]),
  ...["ffmpeg", "/etc/passwd", "/tmp", "/nowhere/ffmpeg"].map((value): (typeof bad)[number] => [
    "FFMPEG_PATH",
    value,
    "must be the whole path of a program that this user may run, e.g. /usr/bin/ffmpeg",
  ]),
  ["APP_URL", "example.com", web],
  ["APP_URL", "ftp://example.com", web],
  ...["/blog", "/?a=b", "/#top"].map((rest): (typeof bad)[number] => [
    "APP_URL",
    `https://example.com${rest}`,
    alone,
  ]),
  ["APP_URL", "https://nora@example.com", alone],
  ["DATABASE_URL", "mysql://x/y", postgres, { AUTH_SECRET: secret }],
  ["DATABASE_URL", "site.db", postgres, { AUTH_SECRET: secret }],
  ["AUTH_SECRET", "short", "must have at least 32 characters"],
  ...["short", "x".repeat(44), "0".repeat(63), `${"A".repeat(43)}==`, "A".repeat(42)].flatMap(
    (value): typeof bad => [
      ["JOURNAL_KEY", value, notAKey],
      ["JOURNAL_KEY_PREVIOUS", value, notAKey],
    ],
  ),
  ["ADMIN_EMAIL", "nora", "must be an email address", { ADMIN_PASSWORD: "Long-enough-1" }],
  ["ADMIN_PASSWORD", "Short1", "must have at least 8 characters", withEmail],
  ["ADMIN_PASSWORD", `Aa1${"x".repeat(98)}`, "must have at most 100 characters", withEmail],
  ["ADMIN_PASSWORD", "changeme1", "must have an uppercase letter", withEmail],
  ["ADMIN_PASSWORD", "CHANGEME1", "must have a lowercase letter", withEmail],
  ["ADMIN_PASSWORD", "changeMe", "must have a number", withEmail],
  ["SAMPLE_CONTENT", "yes", onOff],
  [
    "SMTP_URL",
    "mail.example.com:25",
    address("smtp://… or smtps://…"),
    { MAIL_FROM: "a@b.example" },
  ],
  ["SMTP_URL", "smtp://me:pass@mail.example:465", /^port 465 .* write smtps:/, withSender],
  ["SMTP_URL", "smtps://me:pass@mail.example:587", /^this port .* write smtp:/, withSender],
  ...["Nora Hale", "nora@", "a@example.com, b@example.com", "Nora <nora at example.com>"].map(
    (value): (typeof bad)[number] => [
      "MAIL_FROM",
      value,
      "must be one address, with or without a name: Nora Hale <hello@example.com>",
    ],
  ),
  ["S3_ENDPOINT", "s3", web, { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" }],
  ...["Blue-", "a_b", "-a", "a".repeat(60)].map((value): (typeof bad)[number] => [
    "S3_BUCKET_PREFIX",
    value,
    "must be small letters, digits and hyphens, e.g. blue-dot-",
  ]),
  [
    "S3_ENDPOINT",
    "http://media.example.com",
    "must begin with https:// because APP_URL does; browsers play nothing else in such pages",
    { APP_URL: "https://example.com", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" },
  ],
  ["STRIPE_API_URL", "stripe", web],
  ["NEWSLETTER_FORM_URL", "form", web],
  ["COACHING_APPLICATION_URL", "form", web],
  ...[", ", "Blue Dot", "a,,b", "a;b", "a,"].map((value): (typeof bad)[number] => [
    "COMING_SOON",
    value,
    "must be 'none', or slugs with commas between them, e.g. one-course,another-course",
  ]),
  ["COMING_SOON", "none,one-course", "must be either 'none' or slugs, not both"],
  ["TRUSTED_PROXIES", "all", "must be the number of proxies in front of the site, e.g. 1"],
  ["LOG_LEVEL", "loud", "must be one of debug, info, warn, error, silent"],
];

describe("a mistake is one line with the variable's name", () => {
  test.each(bad)("%s=%s", (name, value, message, around = {}) => {
    const lines = mistakes({ ...around, [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
    expect(lines[0]?.slice(name.length + 2)).toEqual(
      typeof message === "string" ? message : expect.stringMatching(message),
    );
  });

  test.each([
    ["ADMIN_EMAIL", "a@example.com", "ADMIN_PASSWORD"],
    ["ADMIN_PASSWORD", "Long-enough-1", "ADMIN_EMAIL"],
    ["DATABASE_URL", "postgres://127.0.0.1/x", "AUTH_SECRET"],
    ["STRIPE_SECRET_KEY", "sk", "STRIPE_WEBHOOK_SECRET"],
    ["S3_ACCESS_KEY_ID", "a", "S3_SECRET_ACCESS_KEY"],
    ["S3_ENDPOINT", "http://s3", "S3_ACCESS_KEY_ID"],
    ["S3_SECRET_ACCESS_KEY", "a", "S3_ENDPOINT"],
    ["GOOGLE_CLIENT_ID", "a", "GOOGLE_CLIENT_SECRET"],
    ["GOOGLE_CLIENT_SECRET", "a", "GOOGLE_CLIENT_ID"],
    ["NEWSLETTER_FORM_ID", "a", "NEWSLETTER_FORM_URL"],
    ["NEWSLETTER_FORM_VERSION", "a", "NEWSLETTER_FORM_ID"],
    ["SMTP_URL", "smtp://127.0.0.1", "MAIL_FROM"],
  ])("%s without the other half", (name, value, other) => {
    const [line = "", ...more] = mistakes({ [name]: value });
    expect(line).toMatch(new RegExp(`^${other}: is needed because ${name} is set`));
    expect(more).toEqual([]);
  });

  test("a store on this machine may speak http, whatever the site does", () => {
    for (const host of ["localhost:9000", "127.0.0.1:9000", "[::1]:9000"]) {
      const around = { S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
      const env = { APP_URL: "https://example.com", S3_ENDPOINT: `http://${host}`, ...around };
      expect(mistakes(env)).toEqual([]);
    }
  });

  test("all of them are reported at once", () => {
    const wrong = { PORT: "x", APP_URL: "y", SAMPLE_CONTENT: "z" };
    const lines = mistakes({ ...wrong, ADMIN_EMAIL: "a@example.com" });
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      ...Object.keys(wrong),
      "ADMIN_PASSWORD",
    ]);
  });
});

describe("defaults", () => {
  test("an empty value means the default", () => {
    const empty = Object.fromEntries(Object.keys(environment.shape).map((name) => [name, ""]));
    const config = load({ ...empty, DATA_DIR: temporaryFolder() });
    expect(config).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      appUrl: "http://localhost:3000",
      databaseUrl: undefined,
      admin: undefined,
      sampleContent: true,
      smtpUrl: undefined,
      comingSoon: undefined,
      newsletterForm: undefined,
      coachingApplicationUrl: undefined,
      trustedProxies: undefined,
      providers: [],
    });
  });

  test(".env.example has every setting, with its default", () => {
    const text = readFileSync(path.join(projectRoot, ".env.example"), "utf8");
    const example = Object.fromEntries(
      [...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
    );
    expect(Object.keys(example).sort()).toEqual(Object.keys(environment.shape).sort());
    const given = Object.entries(example).filter(([, value]) => value !== "");
    expect(environment.parse(Object.fromEntries(given))).toEqual(environment.parse({}));
  });

  test.each([
    ["none", []],
    ["one-course", ["one-course"]],
    [" one-course , another-course", ["one-course", "another-course"]],
  ])("COMING_SOON=%s", (value, slugs) => {
    expect(load({ COMING_SOON: value }).comingSoon).toEqual(slugs);
  });

  test("the address of the site follows the port, and loses its last slash", () => {
    expect(load({ PORT: "4000" }).appUrl).toBe("http://localhost:4000");
    for (const APP_URL of ["https://grief.example/", "HTTPS://Grief.example"])
      expect(load({ APP_URL }).appUrl).toBe("https://grief.example");
  });
});

describe("DATA_DIR", () => {
  test("is made, for its owner alone; its secret is written with the database, and stays", () => {
    const dataDir = path.join(temporaryFolder(), "deep", "er");
    const first = load({ DATA_DIR: dataDir });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    // A command that is refused must not leave a secret, which looks like a site.
    expect(readdirSync(dataDir)).toEqual([]);
    expect(first).toMatchObject({ secretIsNew: true, authSecret: expect.stringMatching(/.{32}/) });
    writeSecret(first);
    expect(statSync(path.join(dataDir, "secret")).mode & 0o777).toBe(0o600);
    const { authSecret } = first;
    expect(load({ DATA_DIR: dataDir })).toMatchObject({ secretIsNew: false, authSecret });
    expect(() => writeSecret(first)).toThrow("cannot write");
  });

  test.each(["", "short", "\n\n"])(
    "with a damaged secret (%j) says what to do, and changes nothing",
    (text) => {
      const dataDir = temporaryFolder();
      const file = path.join(dataDir, "secret");
      writeFileSync(file, text);
      const [line = "", ...more] = mistakes({ DATA_DIR: dataDir });
      expect(line).toMatch(/^DATA_DIR: .*secret is damaged/);
      expect(more).toEqual([]);
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  test("that is a file, or whose secret is a folder, is reported in a line", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    expect(mistakes({ DATA_DIR: file })[0]).toMatch(/^DATA_DIR: cannot use the folder/);
    mkdirSync(path.join(folder, "secret"));
    expect(mistakes({ DATA_DIR: folder })[0]).toMatch(/^DATA_DIR: cannot read/);
  });
});
