import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

import path from "node:path";
import { connect } from "node:tls";
import { projectRoot } from "~/platform/utils/version.ts";
import { selfMadeCertificate } from "./certificate.ts";
import { temporaryFolder } from "./config.ts";
import { freePort } from "./port.ts";
import { endWithTests } from "./process.ts";

/** Where a test has what the file of deploy/ names, and the address that counts as a CDN's. */
type Places = { http: number; https: number; site: number; folder: string; cdn?: string };

type Kind = {
  file: string;
  program: string;
  words(file: string): string[];
  /** What of the file is another place here. */
  moved(places: Places): [string, string][];
  /** What the system's own configuration says around it. */
  around?(text: string, places: Places): string;
};

const letsEncrypt = "/etc/letsencrypt/live/example.com";
const certificates = ({ folder }: Places): [string, string][] => [
  [`${letsEncrypt}/fullchain.pem`, path.join(folder, "cert.pem")],
  [`${letsEncrypt}/privkey.pem`, path.join(folder, "key.pem")],
];
const upstream = ({ site }: Places): [string, string] => ["127.0.0.1:3000", `127.0.0.1:${site}`];

export const proxies: Record<"caddy" | "nginx" | "haproxy" | "apache", Kind> = {
  caddy: {
    file: "Caddyfile",
    program: "caddy",
    words: (file) => ["run", "--adapter", "caddyfile", "--config", file],
    moved: (places) => [upstream(places)],
    around: (text, { http, https, folder }) => `{
      admin off
      http_port ${http}
      https_port ${https}
      local_certs
      skip_install_trust
      servers {
        protocols h1 h2
      }
      storage file_system ${folder}
    }
    ${text}`,
  },
  nginx: {
    file: "nginx.conf",
    program: "nginx",
    words: (file) => ["-c", file, "-e", "stderr"],
    moved: (places) => [
      upstream(places),
      ["listen 80;\n\tlisten [::]:80;", `listen 127.0.0.1:${places.http};`],
      ["listen 443 ssl http2;\n\tlisten [::]:443 ssl", `listen 127.0.0.1:${places.https} ssl`],
      ...certificates(places),
    ],
    around: (text, { folder }) => `daemon off; master_process off; pid ${folder}/pid;
      error_log stderr; events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
          .map((name) => `${name}_temp_path ${folder}/${name};`)
          .join(" ")}
        ${text}
      }`,
  },
  haproxy: {
    file: "haproxy.cfg",
    program: "haproxy",
    words: (file) => ["-db", "-f", file],
    moved: (places) => [
      upstream(places),
      ["bind :::80 v4v6", `bind 127.0.0.1:${places.http}`],
      ["bind :::443 v4v6", `bind 127.0.0.1:${places.https}`],
      ["/etc/haproxy/blue-dot.pem", path.join(places.folder, "both.pem")],
    ],
  },
  apache: {
    file: "apache.conf",
    program: "apache2",
    words: (file) => ["-DFOREGROUND", "-f", file],
    moved: (places) => [
      upstream(places),
      ["<VirtualHost *:80>", `Listen 127.0.0.1:${places.http}\n<VirtualHost *:${places.http}>`],
      ["<VirtualHost *:443>", `Listen 127.0.0.1:${places.https}\n<VirtualHost *:${places.https}>`],
      ...certificates(places),
    ],
    // The modules of Debian's start, and those that the file's second line switches on.
    around: (text, { folder }) => `ServerName example.com
      PidFile ${folder}/pid
      ErrorLog ${folder}/error.log
      DefaultRuntimeDir ${folder}
      User www-data
      Group www-data
      ${[
        ...["mpm_event", "authz_core", "alias", "reqtimeout", "socache_shmcb", "proxy"],
        ...(/a2enmod (.*?) &&/.exec(text)?.[1]?.split(" ") ?? []),
      ]
        .map(apacheModule)
        .join("\n")}
      ${text}`,
  },
};

const apacheModule = (name: string) =>
  `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`;

export type ProxyName = keyof typeof proxies;

export const isInstalled = (name: ProxyName) => !spawnSync(proxies[name].program, ["-v"]).error;

/** The file of deploy/ to the word, but for the places, and with its lines for a CDN where one is given. */
function settingsOf({ file, moved, around }: Kind, places: Places): string {
  let text = readFileSync(path.join(projectRoot, "deploy", file), "utf8");
  if (places.cdn)
    text = text
      .replace(/(?<=# Behind a CDN, .*:\n)([\t ]*# .*\n)+/g, (lines) => lines.replaceAll("# ", ""))
      .replace("192.0.2.0/24", places.cdn);
  for (const [from, to] of moved(places)) {
    if (!text.includes(from)) throw new Error(`deploy/${file} has no '${from}'`);
    text = text.replaceAll(from, to);
  }
  return around?.(text, places) ?? text;
}

/** A proxy on 127.0.0.1 before the site on this port, as deploy/ has it; the site may come later.
 * @param more is done to its settings before it starts */
export async function startProxy(
  name: ProxyName,
  site: number,
  { cdn, more = (text) => text }: { cdn?: string; more?: (text: string) => string } = {},
) {
  const kind = proxies[name];
  const folder = temporaryFolder();
  const places = { http: await freePort(), https: await freePort(), site, folder, cdn };
  const { cert, key } = selfMadeCertificate();
  writeFileSync(path.join(folder, "cert.pem"), cert);
  writeFileSync(path.join(folder, "key.pem"), key);
  writeFileSync(path.join(folder, "both.pem"), Buffer.concat([cert, key]));
  mkdirSync(path.join(folder, "home"));
  const file = path.join(folder, kind.file);
  writeFileSync(file, more(settingsOf(kind, places)));
  // Those that give up root's rights read and write there.
  chmodSync(folder, 0o777);
  const child = spawn(kind.program, kind.words(file), {
    env: { ...process.env, HOME: path.join(folder, "home") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithTests(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (words: Buffer) => {
      said += words.toString("utf8");
    });
  const ended = once(child, "close");
  while (!(await canConnect(places.https)))
    if (child.exitCode !== null) throw new Error(`${kind.program} ended: ${said}`);
  return {
    http: places.http,
    https: places.https,
    said: () => said,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Also waits for a certificate that the proxy makes itself. */
function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: "example.com",
      rejectUnauthorized: false,
    });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once("secureConnect", () => end(true)).once("error", () => end(false));
  });
}
