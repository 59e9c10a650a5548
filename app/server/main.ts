export { runCommand } from "./cli.ts";
export { openForDevelopment, openSite, serveSite } from "./start.ts";
