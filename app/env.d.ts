declare module "virtual:react-router/server-build" {
  const build: import("react-router").ServerBuild;
  export = build;
}

declare module "*?raw" {
  const text: string;
  export default text;
}

declare module "~content/pages/*.md" {
  export const source: import("../content/fields.ts").Content;
  export const shown: import("../content/fields.ts").Content;
}

declare module "~content/pages/*.yaml" {
  export const source: import("../content/fields.ts").Content;
  export const shown: import("../content/fields.ts").Content;
}
