/** Entry of the built server: what the scripts and the tests start from. */
export { runCommand } from "./cli.ts";
export { openForDevelopment, openSite, serveSite } from "./process.ts";
