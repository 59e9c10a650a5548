import { X509Certificate } from "node:crypto";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import path from "node:path";
import addressparser from "nodemailer/lib/addressparser";
import { z } from "zod";
import { readKey } from "./master-key.ts";

const flag = z.enum(["on", "off"], { error: "must be 'on' or 'off'" });
const port = z
  .string()
  .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535")
  .transform(Number)
  .refine((value) => value <= 65535, "must be a whole number from 0 to 65535");

function address(...protocols: string[]) {
  const wanted = protocols.map((name) => `${name}://…`).join(" or ");
  return z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.replace(":", "")),
      { error: `must be an address like ${wanted}` },
    );
}

/** The site's own address. `HTTPS://Example.com/` is read as `https://example.com`. */
const origin = address("http", "https")
  .refine((text) => !URL.canParse(text) || isOrigin(new URL(text)), {
    error: "must be the site's address alone, e.g. https://example.com, without a path or a name",
  })
  .transform((text) => new URL(text).origin);

const isOrigin = ({ pathname, search, hash, username, password }: URL) =>
  /^\/+$/.test(pathname) && !search && !hash && !username && !password;

const smtp = address("smtp", "smtps")
  .refine((text) => !/^smtp:.*:465\/?(\?|$)/i.test(text), {
    error: "port 465 speaks encrypted from the first word: write smtps:// instead of smtp://",
  })
  .refine((text) => !/^smtps:.*:(25|587|2525)\/?(\?|$)/i.test(text), {
    error: "this port begins to encrypt after a few words: write smtp:// instead of smtps://",
  });

const sender = z.string().refine((text) => isSender(addressparser(text)), {
  error: "must be one address, with or without a name: Nora Hale <hello@example.com>",
});

const isSender = ([one, ...more]: { address?: string }[]) =>
  more.length === 0 && z.email().safeParse(one?.address).success;

/** Chosen by hand, in the address that the provider posts to: it is not to be guessed. */
const webhookSecret = z.string().min(16, "must have at least 16 characters");

const mailbox = address("imap", "imaps").refine(
  (text) => {
    const url = URL.parse(text);
    return Boolean(url?.hostname && url.username && url.password);
  },
  { error: "must name the user and the password, e.g. imaps://user:password@host/INBOX" },
);

const postgres = address("postgres", "postgresql").superRefine((text, context) => {
  const file = URL.canParse(text) ? new URL(text).searchParams.get("sslrootcert") : null;
  const message = file && file !== "system" ? certificateFault(file) : null;
  if (message) context.addIssue({ code: "custom", message });
});

function certificateFault(file: string): string | null {
  try {
    new X509Certificate(readFileSync(file));
    return null;
  } catch (error) {
    return `sslrootcert must be a file with the certificate of the database's authority (${(error as Error).message})`;
  }
}

const key = z.string().transform((text, context) => {
  const bytes = readKey(text.trim());
  if (bytes) return bytes;
  context.addIssue({
    code: "custom",
    message: "must be 32 bytes as base64 or hex, e.g. what 'openssl rand -base64 32' prints",
  });
  return z.NEVER;
});

const slugs = z
  .string()
  .regex(/^\s*[a-z0-9-]+\s*(,\s*[a-z0-9-]+\s*)*$/, {
    error: "must be 'none', or slugs with commas between them, e.g. one-course,another-course",
  })
  .transform((text) => text.split(",").map((slug) => slug.trim()))
  .refine((list) => list.length === 1 || !list.includes("none"), {
    error: "must be either 'none' or slugs, not both",
  })
  .transform((list) => (list[0] === "none" ? [] : list));

/** What a lesson's downloads can be. */
export const lessonFileTypes = "pdf,epub,zip,png,jpeg,webp,docx,xlsx".split(",");

const fileTypes = z
  .string()
  .transform((text) => text.split(",").map((one) => one.trim().toLowerCase()))
  .refine((asked) => asked.every((one) => lessonFileTypes.includes(one)), {
    error: `must be some of ${lessonFileTypes.join(",")}`,
  })
  .transform((asked) => lessonFileTypes.filter((one) => asked.includes(one)));

const program = z.string().refine(canRun, {
  error: "must be the whole path of a program that this user may run, e.g. /usr/bin/ffmpeg",
});

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.isAbsolute(file) && statSync(file).isFile();
  } catch {
    return false;
  }
}

/** An empty value counts as absent, so that `FOO=` in a `.env` file means the default. */
export const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().default("127.0.0.1"),
  APP_URL: origin.optional(),
  HSTS_SUBDOMAINS: flag.default("off"),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: postgres.optional(),
  AUTH_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  JOURNAL_KEY: key.optional(),
  JOURNAL_KEY_PREVIOUS: key.optional(),
  ADMIN_EMAIL: z.email("must be an email address").optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, "must have at least 8 characters")
    .max(100, "must have at most 100 characters")
    // The rules of /auth: the start must not accept what sign-in refuses.
    .regex(/[A-Z]/, "must have an uppercase letter")
    .regex(/[a-z]/, "must have a lowercase letter")
    .regex(/[0-9]/, "must have a number")
    .optional(),
  ADMIN_SECOND_FACTOR: flag.default("off"),
  SAMPLE_CONTENT: flag.default("on"),
  SMTP_URL: smtp.optional(),
  MAIL_FROM: sender.optional(),
  MAIL_PER_HOUR: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, "must be a whole number of emails, e.g. 500")
    .transform(Number)
    .optional(),
  SES_TOPIC_ARN: z
    .string()
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, {
      error: "must be the ARN of a topic, e.g. arn:aws:sns:eu-west-1:123456789012:bounces",
    })
    .optional(),
  POSTMARK_WEBHOOK_SECRET: webhookSecret.optional(),
  MAILGUN_WEBHOOK_SECRET: webhookSecret.optional(),
  BREVO_WEBHOOK_SECRET: webhookSecret.optional(),
  RESEND_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{20,}=*$/, "must be the signing secret, which begins with whsec_")
    .optional(),
  BOUNCE_MAILBOX_URL: mailbox.optional(),
  S3_ENDPOINT: address("http", "https").optional(),
  S3_BUCKET_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,47}$/, "must be small letters, digits and hyphens, e.g. blue-dot-")
    .default(""),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  UPLOAD_LIMIT_GB: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, "must be a number of gigabytes, e.g. 5")
    .transform(Number)
    .default(5),
  LESSON_FILE_TYPES: fileTypes.default(lessonFileTypes),
  LESSON_FILE_LIMIT_MB: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, "must be a whole number of megabytes from 1 to 9999, e.g. 100")
    .transform(Number)
    .default(100),
  FFMPEG_PATH: program.optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: address("http", "https").optional(),
  NEWSLETTER_FORM_URL: address("http", "https").optional(),
  NEWSLETTER_FORM_ID: z.string().optional(),
  NEWSLETTER_FORM_VERSION: z.string().optional(),
  COACHING_APPLICATION_URL: address("http", "https").optional(),
  COMING_SOON: slugs.optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z.string().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().optional(),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^\d{1,2}$/, "must be the number of proxies in front of the site, e.g. 1")
    .transform(Number)
    .optional(),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"], {
      error: "must be one of debug, info, warn, error, silent",
    })
    .default("info"),
});

export type Environment = z.infer<typeof environment>;

/** The first variable of each pair needs the second. */
export const belongsTogether: [keyof Environment, keyof Environment][] = [
  ["ADMIN_EMAIL", "ADMIN_PASSWORD"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
  ["STRIPE_WEBHOOK_SECRET", "STRIPE_SECRET_KEY"],
  ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  ["S3_ENDPOINT", "S3_ACCESS_KEY_ID"],
  ["S3_SECRET_ACCESS_KEY", "S3_ENDPOINT"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_SECRET", "GOOGLE_CLIENT_ID"],
  ["NEWSLETTER_FORM_ID", "NEWSLETTER_FORM_URL"],
  ["NEWSLETTER_FORM_VERSION", "NEWSLETTER_FORM_ID"],
  ["SMTP_URL", "MAIL_FROM"],
];
