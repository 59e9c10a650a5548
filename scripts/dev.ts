import { createServer as createHttpServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer as createViteServer } from "vite";
import { readSettings } from "./settings.ts";

readSettings();
process.env.NODE_ENV = "development";

const vite = await createViteServer({ server: { middlewareMode: true }, appType: "custom" });
const main = (await vite.ssrLoadModule(
  "/app/server/main.ts",
)) as typeof import("../app/server/main.ts");
const site = await main.openForDevelopment(process.env, process.argv.includes("--new"));

/** The handler is made again whenever its code has changed; database and worker stay. */
async function listener() {
  const { createApp } = (await vite.ssrLoadModule(
    "/app/server/app.ts",
  )) as typeof import("../app/server/app.ts");
  return getRequestListener(createApp(site.services).fetch);
}

const server = createHttpServer((request, response) => {
  vite.middlewares(request, response, async () => (await listener())(request, response));
});
const { port, host, appUrl } = site.services.config;
server.listen(port, host, () => process.stdout.write(`Blue Dot (development) is at ${appUrl}\n`));

async function stop() {
  server.close();
  await vite.close();
  await site.close();
  process.exit(0);
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
