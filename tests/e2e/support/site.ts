import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { promisify } from "node:util";
import { loadConfig } from "~/platform/config/config.ts";
import { projectRoot } from "~/platform/utils/version.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "../../support/config.ts";
import { freePort } from "../../support/port.ts";

export type RunningSite = Awaited<ReturnType<typeof startBuiltSite>>;

/**
 * The site as `npm start` runs it: the built program in a process of its own, with a DATA_DIR of
 * its own that starts as a copy of `template`. `services` is a second connection to the same
 * database, for what a test must know or change behind the site's back.
 */
export async function startBuiltSite(settings: Record<string, string> = {}, template?: string) {
  const { PATH, HOME, TMPDIR } = process.env;
  const env: Record<string, string> = {
    PATH: PATH ?? "",
    HOME: HOME ?? "",
    TMPDIR: TMPDIR ?? "",
    NODE_ENV: "production",
    PORT: String(await freePort()),
    DATA_DIR: temporaryFolder(),
    LOG_LEVEL: "warn",
    // Each test gives its browser an address of its own, so that no limit counts two together.
    TRUSTED_PROXIES: "1",
    ...settings,
  };
  if (template) cpSync(template, env.DATA_DIR as string, { recursive: true });
  const config = loadConfig(env);
  const start = () =>
    spawn(process.execPath, ["scripts/start.ts", "--built"], { cwd: projectRoot, env });
  let program = start();
  const printed = await untilReady(program);
  const services = await openServices(config);
  // It looks at the database by itself, and must be done with that before the database is closed.
  await (await services.auth.$context).checkSchema?.();
  return {
    url: config.appUrl,
    dataDir: config.dataDir,
    services,
    printed,
    /** One of the README's commands, as she types it: `npm run <words>`. */
    async command(...words: string[]): Promise<string> {
      const { stdout } = await promisify(execFile)("npm", ["run", "--silent", ...words], {
        cwd: projectRoot,
        env,
      });
      return stdout;
    },
    /** Kills it in the middle of whatever it is doing; `again` starts it at the same address. */
    async crash() {
      const gone = once(program, "exit");
      program.kill("SIGKILL");
      await gone;
      return {
        async again() {
          program = start();
          await untilReady(program);
        },
      };
    },
    /** Ends it; what it had written stays in its folder. */
    async stop() {
      await closeServices(services);
      const gone = once(program, "exit");
      program.kill("SIGTERM");
      await gone;
    },
    async close() {
      await this.stop();
      rmSync(config.dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits for the line that says where the site is; @returns what was printed up to it */
function untilReady(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    program.stdout?.on("data", (chunk) => {
      printed += chunk;
      if (/^Blue Dot is at /m.test(printed)) resolve(printed);
    });
    program.stderr?.on("data", (chunk) => {
      printed += chunk;
      process.stderr.write(chunk);
    });
    program.once("exit", (code) => reject(new Error(`the site ended (${code}):\n${printed}`)));
  });
}
