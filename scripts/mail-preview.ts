import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createViteServer } from "vite";
import type { SampleEmail } from "./mail/emails.ts";
import { emailPage, type Face, face, faces, listPage } from "./mail/pages.ts";

// Shows every email of the site in the browser, by day and at night, as text and with its head.
//
//   npm run mail:preview              at http://127.0.0.1:3030, or wherever there is room
//   npm run mail:preview -- 4000      at that port
//
// Nothing is sent, and the site's own data is not touched. Each page writes the emails again from
// the templates as they are now.
const wanted = Number(process.argv[2] ?? 3030);

const vite = await createViteServer({
  appType: "custom",
  logLevel: "warn",
  server: { middlewareMode: true, hmr: false, ws: false },
});
const load = <Module>(file: string) =>
  vite.ssrLoadModule(`/scripts/mail/${file}`) as Promise<Module>;
const { openWorld } = await load<typeof import("./mail/world.ts")>("world.ts");
const world = await openWorld();

/** What the latest page is about: its frames show the same. */
let written: Promise<SampleEmail[]> | undefined;

async function writeNow(): Promise<SampleEmail[]> {
  const { writeSampleEmails } = await load<typeof import("./mail/emails.ts")>("emails.ts");
  return writeSampleEmails(world);
}

async function answer(path: string): Promise<string | null> {
  const [, number = "", which] = path.split("/");
  if (!which || !written) written = writeNow();
  const emails = await written;
  if (path === "/") return listPage(emails);
  const email = emails[Number(number)];
  if (!email) return null;
  if (!which) return emailPage(emails, Number(number));
  return which in faces ? face(email, which as Face) : null;
}

const server = createHttpServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://preview");
  const html = await answer(pathname).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    return `<!doctype html><title>Not written</title><pre>${error.message}</pre>`;
  });
  response.writeHead(html === null ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
  response.end(html ?? "<!doctype html><title>Nothing here</title><p>Nothing here.</p>");
});

function listen(to: Server, port: number) {
  return new Promise<void>((resolve, reject) => {
    to.once("error", reject);
    to.listen(port, "127.0.0.1", () => resolve(to.off("error", reject) && undefined));
  });
}
await listen(server, wanted).catch(() => listen(server, 0));
const address = server.address();
const port = typeof address === "object" ? address?.port : wanted;
process.stdout.write(`The emails are at http://127.0.0.1:${port}\n`);

async function stop() {
  server.closeAllConnections();
  server.close();
  await vite.close();
  await world.close();
  process.exit(0);
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
