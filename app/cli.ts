import { makeAdmin } from "./features/accounts/commands.server.ts";
import { findProfile } from "./features/accounts/queries.server.ts";
import { findCourse, listActiveCourses } from "./features/courses/queries.server.ts";
import { enroll } from "./features/enrollments/commands.server.ts";
import { listConfirmed } from "./features/newsletter/list/queries.server.ts";
import { loadConfig } from "./platform/config/config.ts";
import { asCsv } from "./platform/csv.ts";
import { CommandError, explain } from "./platform/explain.ts";
import type { Services } from "./platform/services.ts";
import { closeServices, openServices } from "./services.ts";
import { upkeep } from "./upkeep.ts";

/** What a command prints: lines, and remarks on them that do not belong into a file. */
type Printed = { out: string; remarks: string[] };
type Command = (services: Services, ...words: string[]) => Promise<string | Printed>;

/** npm's own lines stand above what a script prints, unless it is told to be silent. */
const npmTalks = () =>
  Boolean(process.env.npm_lifecycle_event) &&
  process.env.npm_config_loglevel !== "silent" &&
  !process.stdout.isTTY;

const commands: Record<string, Command> = {
  async admin(services, email) {
    if (!email) throw new CommandError("Which account? npm run admin -- someone@example.com");
    if (!(await makeAdmin(services, email)))
      throw new CommandError(
        `Nobody has the address ${email}. Sign up on the site first, then run this again.`,
      );
    return `${email} is an administrator now.`;
  },

  async enroll(services, email, slug) {
    if (!email || !slug)
      throw new CommandError("Who, in what? npm run enroll -- someone@example.com blue-dot-method");
    const profile = await findProfile(services, email);
    if (!profile)
      throw new CommandError(
        `Nobody has the address ${email}. Sign up on the site first, then run this again.`,
      );
    const course = await findCourse(services, slug);
    if (!course) {
      const slugs = (await listActiveCourses(services)).map((active) => active.slug);
      throw new CommandError(
        `There is no course '${slug}'. There are: ${slugs.join(", ") || "none"}.`,
      );
    }
    const isNew = await enroll(services, { userId: profile.id, productId: course.id });
    return isNew
      ? `${email} is enrolled in “${course.title}” now.`
      : `${email} was enrolled in “${course.title}” already; nothing changed.`;
  },

  /** The built-in newsletter list as CSV: UTF-8, and nothing in it that a spreadsheet would calculate. */
  async subscribers(services) {
    const lines = await listConfirmed(services);
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

/**
 * Runs one of the commands of the README against the configured database, beside a
 * running site or without one. Sets the exit code; prints one line, or a list.
 */
export async function runCommand(name: string, words: string[]): Promise<void> {
  let services: Services | undefined;
  try {
    const care = upkeep[name];
    if (care) return await care(words);
    const command = commands[name];
    if (!command) throw new Error(`no command '${name}'`);
    services = await openServices(loadConfig({ ...process.env, LOG_LEVEL: "silent" }));
    const printed = await command(services, ...words);
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
