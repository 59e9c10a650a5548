declare module "virtual:react-router/server-build" {
  const build: import("react-router").ServerBuild;
  export = build;
}

declare module "*?raw" {
  const text: string;
  export default text;
}

declare module "~content/pages/*.md" {
  const text: import("../content/schema.ts").PageText;
  export default text;
}
