import { commandLine } from "~/features/audit-log/messages.ts";
import { resetTwoFactor } from "~/features/auth/security-settings.server.ts";
import { findProfile, makeAdmin } from "~/features/auth/users.server.ts";
import { findCourse, listActiveCourses } from "~/features/courses/courses.server.ts";
import { enrollManually } from "~/features/enrollments/manual-enrollments.server.ts";
import { listConfirmed } from "~/features/newsletter/subscribers.server.ts";
import { exportContent, importContent } from "~/features/pages/content-folder.server.ts";
import { auditExport } from "~/features/progress/export.server.ts";
import { rotateSigningKeys } from "~/platform/auth/access-token.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { rotateKeys } from "~/platform/crypto/rotate-keys.ts";
import { explain } from "~/platform/explain/explain.ts";
import type { Services } from "~/platform/http/services.ts";
import { asCsv } from "~/platform/utils/csv.ts";
import { CommandError } from "~/platform/utils/errors.ts";
import { runDoctor } from "./doctor.ts";
import { runMaintenance } from "./maintenance.ts";
import { closeServices, openServices } from "./services.ts";

// What a command prints: `remarks` do not belong into a file.
type Printed = { out: string; remarks: string[] };
type Command = (services: Services, ...words: string[]) => Promise<string | Printed>;

// npm prints lines of its own above a script's output, unless it is silent.
const npmTalks = () =>
  Boolean(process.env.npm_lifecycle_event) &&
  process.env.npm_config_loglevel !== "silent" &&
  !process.stdout.isTTY;

const noAccount = (email: string) =>
  new CommandError(
    `Nobody has the address ${email}. Sign up on the site first, then run this again.`,
  );

const commands: Record<string, Command> = {
  async admin(services, email) {
    if (!email) throw new CommandError("Which account? npm run admin -- someone@example.com");
    const made = await makeAdmin(services, email);
    if (!made) throw noAccount(email);
    return made.wasSuspended
      ? `${email} is an administrator now, and no longer suspended.`
      : `${email} is an administrator now.`;
  },

  async "factor:reset"(services, email) {
    if (!email) throw new CommandError("Whose? npm run factor:reset -- someone@example.com");
    const profile = await findProfile(services, email);
    if (!profile) throw new CommandError(`Nobody has the address ${email}.`);
    await resetTwoFactor(services, profile.id);
    return `The authenticator apps, backup codes and passkeys of ${email} are gone, and the user is signed out everywhere. An email about it is sent.`;
  },

  async enroll(services, email, slug) {
    if (!email || !slug)
      throw new CommandError("Who, in what? npm run enroll -- someone@example.com blue-dot-method");
    const profile = await findProfile(services, email);
    if (!profile) throw noAccount(email);
    const course = await findCourse(services, slug);
    if (!course) {
      const slugs = (await listActiveCourses(services)).map((active) => active.slug);
      throw new CommandError(
        `There is no course '${slug}'. There are: ${slugs.join(", ") || "none"}.`,
      );
    }
    const enrolling = { userId: profile.id, productId: course.id, onlyActive: false };
    const isNew = await enrollManually(services, enrolling);
    return isNew
      ? `${email} is enrolled in “${course.title}” now.`
      : `${email} was enrolled in “${course.title}” already; nothing changed.`;
  },

  // Tokens that were signed with an old key stay valid until they expire.
  async "keys:rotate"(services) {
    const id = await rotateSigningKeys(services);
    return `Access tokens are signed with a new key now (${id}). The old ones are published for another day.`;
  },

  async "journal:rotate"(services) {
    const { keys, from } = await rotateKeys(services);
    const done = `Journals are sealed with the new key now: ${keys} ${keys === 1 ? "person's" : "people's"}.`;
    return from === "settings"
      ? `${done} Take JOURNAL_KEY_PREVIOUS out of the settings, keep a copy of JOURNAL_KEY elsewhere, and start the site again.`
      : `${done} DATA_DIR/journal-key has it, and the one before is forgotten: make a backup, older ones have the old key.`;
  },

  async "content:export"(services, folder) {
    if (!folder) throw new CommandError("Into which folder? npm run content:export -- words");
    const count = await exportContent(services, folder);
    return `The words of ${count} pages are in ${folder}.`;
  },

  async "content:import"(services, folder) {
    if (!folder) throw new CommandError("From which folder? npm run content:import -- words");
    const changed = await importContent(services, folder);
    return changed.length === 0
      ? "Every page says this already; nothing was published."
      : `Published: ${changed.join(", ")}. Each has the words before in its history.`;
  },

  // As CSV in UTF-8, with nothing in it that a spreadsheet would calculate.
  async subscribers(services) {
    const lines = await listConfirmed(services);
    await auditExport(services, "subscribers");
    const columns = ["first_name", "email", "confirmed_at", "unsubscribe_url"];
    const remarks = [
      `${lines.length} confirmed ${lines.length === 1 ? "subscriber" : "subscribers"}.`,
    ];
    const marked = lines.filter(({ email }) => /^[=+\-@]/.test(email)).length;
    if (marked > 0)
      remarks.push(
        `${marked} ${marked === 1 ? "address begins" : "addresses begin"} with a sign that spreadsheets calculate with: the ' in front is not part of it.`,
      );
    if (services.config.newsletterForm)
      remarks.push("New signups go to NEWSLETTER_FORM_URL; this is the site's own list.");
    if (npmTalks())
      remarks.push(
        "npm has put lines of its own above the list. Without them: npm run --silent subscribers > list.csv",
      );
    return { out: asCsv(lines, { header: true, columns }), remarks };
  },
};

/** Runs a command of the README, with or without a running site. Sets the exit code. */
export async function runCommand(name: string, words: string[]): Promise<void> {
  let services: Services | undefined;
  try {
    if (name === "doctor") return await runDoctor(words);
    const care = runMaintenance[name];
    if (care) return await care(words);
    const command = commands[name];
    if (!command) throw new Error(`no command '${name}'`);
    services = await openServices(loadConfig({ ...process.env, LOG_LEVEL: "silent" }));
    const actor = { id: null, name: commandLine };
    const printed = await command({ ...services, actor }, ...words);
    const { out, remarks } =
      typeof printed === "string" ? { out: `${printed}\n`, remarks: [] } : printed;
    process.stdout.write(out);
    for (const remark of remarks) process.stderr.write(`${remark}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  } finally {
    if (services) await closeServices(services);
  }
}
