import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { freePort } from "../support/port.ts";
import { startProgram } from "./server.ts";
import { benchFolder } from "./world.ts";

const places = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];

/** One worker of nginx that serves a folder; null where there is none. `more` is of its server block. */
export async function startNginx(folder: string, more = "") {
  const command = places.find((place) => existsSync(place));
  if (!command) return null;
  const port = await freePort();
  const own = benchFolder();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${path.join(own, name)};`)
    .join(" ");
  writeFileSync(
    path.join(own, "nginx.conf"),
    `daemon off; master_process off; worker_processes 1; pid ${path.join(own, "pid")};
     error_log ${path.join(own, "error.log")};
     events {}
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; ${temporary}
       server { listen 127.0.0.1:${port}; root ${folder}; ${more} } }`,
  );
  const program = startProgram(command, [
    "-c",
    path.join(own, "nginx.conf"),
    "-e",
    path.join(own, "error.log"),
  ]);
  const url = `http://127.0.0.1:${port}/`;
  while (!(await fetch(url).catch(() => null)));
  return { ...program, url };
}
