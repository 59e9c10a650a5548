declare module "*/build/server/index.js" {
  export const serveSite: typeof import("../../app/server/main.ts").serveSite;
  export const openSite: typeof import("../../app/server/main.ts").openSite;
  export const runCommand: typeof import("../../app/server/main.ts").runCommand;
}

declare module "*/build/bench/main.js" {
  export const runBench: typeof import("../../tests/bench/main.ts").runBench;
}
