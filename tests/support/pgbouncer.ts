import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "~/platform/utils/version.ts";
import { temporaryFolder } from "./config.ts";
import { freePort } from "./port.ts";
import { endWithTests } from "./process.ts";

export const hasPgBouncer = !spawnSync("pgbouncer", ["--version"]).error;

/** The settings that docs/operating.md gives, with the addresses and names of a test. */
function settingsOf(target: URL, port: number, folder: string): string {
  const manual = readFileSync(path.join(projectRoot, "docs/operating.md"), "utf8");
  const [, documented] = /```\n(\[databases\]\n[\s\S]*?)```/.exec(manual) ?? [];
  if (!documented) throw new Error("docs/operating.md has no settings of PgBouncer");
  const name = target.pathname.slice(1);
  return documented
    .replace(/^blue_dot = .*$/m, (line) =>
      line
        .replace("blue_dot =", `${name} =`)
        .replace("dbname=blue_dot", `dbname=${name}`)
        .replace("host=127.0.0.1", `host=${target.hostname}`)
        .replace("port=5432", `port=${target.port || 5432}`),
    )
    .replace("listen_port = 6432", `listen_port = ${port}`)
    .replace("/etc/pgbouncer/userlist.txt", path.join(folder, "userlist.txt"));
}

/** PgBouncer before the database of this address, whose user and password it must be. */
export async function startPgBouncer(database: string) {
  const target = new URL(database);
  const [port, folder] = [await freePort(), temporaryFolder()];
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(path.join(folder, "userlist.txt"), `"${target.username}" "${target.password}"\n`);
  writeFileSync(file, settingsOf(target, port, folder));
  // It refuses to run as root, and reads its files as the user that it becomes.
  chmodSync(folder, 0o755);
  const as = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const pooler = spawn("pgbouncer", [...as, file], { stdio: ["ignore", "ignore", "pipe"] });
  endWithTests(pooler);
  let said = "";
  const ended = once(pooler, "exit");
  await new Promise<void>((resolve, reject) => {
    pooler.stderr.on("data", (words: Buffer) => {
      said += words.toString("utf8");
      if (said.includes("process up")) resolve();
    });
    pooler.once("exit", () => reject(new Error(said)));
  });
  const url = Object.assign(new URL(target), { host: `127.0.0.1:${port}` });
  return {
    url: url.href,
    async close() {
      pooler.kill("SIGINT");
      await ended;
    },
  };
}
