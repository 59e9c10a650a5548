import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ProviderConfig, readProviders } from "./providers.ts";
import { belongsTogether, type Environment, environment } from "./schema.ts";

export type Config = ReturnType<typeof assemble> & { providers: ProviderConfig[] };

export class ConfigError extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** Checks the environment; creates DATA_DIR if missing. @throws {ConfigError} */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(present);
  const lines = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  for (const [one, other] of belongsTogether) {
    if (
      present[one] &&
      !present[other] &&
      environment.shape[other].safeParse(undefined).data === undefined
    )
      lines.push(`${other}: is needed because ${one} is set`);
  }
  if (present.ADMIN_PASSWORD && !present.ADMIN_EMAIL)
    lines.push("ADMIN_EMAIL: is needed because ADMIN_PASSWORD is set");
  if (present.DATABASE_URL && !present.AUTH_SECRET)
    lines.push(
      "AUTH_SECRET: is needed because DATABASE_URL is set (all machines must share one secret of 32 characters or more)",
    );
  if (isMixed(present.APP_URL, present.S3_ENDPOINT))
    lines.push(
      "S3_ENDPOINT: must begin with https:// because APP_URL does; browsers play nothing else in such pages",
    );
  const { providers, lines: mistakes } = readProviders(present);
  lines.push(...mistakes);
  if (!parsed.success || lines.length > 0) throw new ConfigError(lines);
  return { ...assemble(parsed.data, env.NODE_ENV === "production"), providers };
}

// Browsers play no http media in an https page, except from their own machine.
function isMixed(page = "", media = ""): boolean {
  if (!/^https:/i.test(page) || !URL.canParse(media)) return false;
  const { protocol, hostname } = new URL(media);
  return protocol === "http:" && !isThisMachine(hostname);
}

/** Whether the host name of a URL is this machine's own: nothing goes over a network. */
export const isThisMachine = (hostname: string) =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

function assemble(env: Environment, production: boolean) {
  const dataDir = path.resolve(env.DATA_DIR);
  prepareFolder(dataDir);
  const existing = env.AUTH_SECRET ?? readSecret(dataDir);
  const appUrl = env.APP_URL ?? `http://localhost:${env.PORT}`;
  return {
    port: env.PORT,
    host: env.HOST,
    appUrl,
    /** Whether browsers are to take every subdomain of `appUrl` with https alone, for a year. */
    hstsSubdomains: env.HSTS_SUBDOMAINS === "on",
    dataDir,
    /** Absent: SQLite in `dataDir`. */
    databaseUrl: env.DATABASE_URL,
    /** Milliseconds without data until a connection to PostgreSQL is given up. */
    databaseSilenceMs: 8000,
    /** Milliseconds until a request that has been read is answered with 503. */
    answerWithinMs: 10_000,
    authSecret: existing ?? randomBytes(32).toString("base64url"),
    /** DATA_DIR has no secret yet: it must be written before it is used. */
    secretIsNew: existing === null,
    /** Encrypts journals where it is set; both keys are 32 bytes (platform/crypto). */
    journalKey: env.JOURNAL_KEY,
    /** Only decrypts, until `npm run journal:rotate` has been run. */
    journalKeyPrevious: env.JOURNAL_KEY_PREVIOUS,
    admin:
      env.ADMIN_EMAIL && env.ADMIN_PASSWORD
        ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
        : undefined,
    /** Whether admins have their role only in a session with two-factor. */
    adminSecondFactor: env.ADMIN_SECOND_FACTOR === "on",
    sampleContent: env.SAMPLE_CONTENT === "on",
    smtpUrl: env.SMTP_URL,
    /** How many emails of the newsletter go out in an hour at most. Absent: as many as can. */
    mailPerHour: env.MAIL_PER_HOUR,
    mailFrom: env.MAIL_FROM ?? `Blue Dot <hello@${new URL(appUrl).hostname}>`,
    /** Which providers report bounces and complaints, and what proves that it is them. */
    mailWebhooks: {
      ses: env.SES_TOPIC_ARN
        ? { topicArn: env.SES_TOPIC_ARN, origin: topicOrigin(env.SES_TOPIC_ARN) }
        : undefined,
      postmark: env.POSTMARK_WEBHOOK_SECRET,
      mailgun: env.MAILGUN_WEBHOOK_SECRET,
      brevo: env.BREVO_WEBHOOK_SECRET,
      resend: env.RESEND_WEBHOOK_SECRET,
    },
    /** Read over IMAP for bounces and complaints, where there is no webhook. */
    bounceMailboxUrl: env.BOUNCE_MAILBOX_URL,
    newsletterForm: env.NEWSLETTER_FORM_URL
      ? {
          url: env.NEWSLETTER_FORM_URL,
          identity: env.NEWSLETTER_FORM_ID
            ? { id: env.NEWSLETTER_FORM_ID, version: env.NEWSLETTER_FORM_VERSION ?? null }
            : null,
        }
      : undefined,
    coachingApplicationUrl: env.COACHING_APPLICATION_URL,
    /** Own proxies in front of the site; only their X-Forwarded-For is trusted. Absent: one on this
     * machine is. */
    trustedProxies: env.TRUSTED_PROXIES,
    /** Slugs of courses that are not sold yet. Absent: both of spec 2. */
    comingSoon: env.COMING_SOON,
    s3:
      env.S3_ENDPOINT && env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY
        ? {
            endpoint: env.S3_ENDPOINT,
            bucketPrefix: env.S3_BUCKET_PREFIX,
            region: env.S3_REGION,
            accessKeyId: env.S3_ACCESS_KEY_ID,
            secretAccessKey: env.S3_SECRET_ACCESS_KEY,
          }
        : undefined,
    /** Absent: nothing is sold (spec 2, the 'Enrollment' toast). */
    stripe:
      env.STRIPE_SECRET_KEY && env.STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: env.STRIPE_SECRET_KEY,
            webhookSecret: env.STRIPE_WEBHOOK_SECRET,
            apiUrl: env.STRIPE_API_URL,
            /** Milliseconds for one try of two. */
            timeoutMs: 4000,
          }
        : undefined,
    uploadLimitBytes: Math.floor(env.UPLOAD_LIMIT_GB * 1e9),
    lessonFileTypes: env.LESSON_FILE_TYPES,
    lessonFileLimitBytes: Math.min(env.LESSON_FILE_LIMIT_MB * 1e6, env.UPLOAD_LIMIT_GB * 1e9),
    /** Converts films that do not play everywhere. Absent: only browsers do. */
    ffmpegPath: env.FFMPEG_PATH,
    logLevel: env.LOG_LEVEL,
    production,
  };
}

/** Of the region of an SNS topic: it alone has its certificates and confirms its subscriptions. */
function topicOrigin(arn: string): string {
  const [, partition, , region] = arn.split(":");
  return `https://sns.${region}.amazonaws.com${partition === "aws-cn" ? ".cn" : ""}`;
}

function prepareFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError([
      `DATA_DIR: cannot use the folder ${folder} (${(error as Error).message})`,
    ]);
  }
}

const secretFile = (dataDir: string) => path.join(dataDir, "secret");

/** Whether the secret of `config` was made up, and is not in DATA_DIR by now. */
export function lacksSecret({ secretIsNew, dataDir, authSecret }: Config): boolean {
  return secretIsNew && readSecret(dataDir) !== authSecret;
}

/** Writes the secret of a new site. @throws {ConfigError} also when there is one by now */
export function writeSecret({ dataDir, authSecret }: Pick<Config, "dataDir" | "authSecret">): void {
  const file = secretFile(dataDir);
  try {
    writeFileSync(file, authSecret, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    throw new ConfigError([`DATA_DIR: cannot write ${file} (${(error as Error).message})`]);
  }
}

export function readSecret(dataDir: string): string | null {
  const file = secretFile(dataDir);
  let secret: string;
  try {
    secret = readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new ConfigError([`DATA_DIR: cannot read ${file} (${(error as Error).message})`]);
  }
  if (secret.length >= 32) return secret;
  throw new ConfigError([
    `DATA_DIR: ${file} is damaged (shorter than 32 characters). Restore it from a backup`,
  ]);
}
