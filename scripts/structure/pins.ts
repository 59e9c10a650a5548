import { readFileSync } from "node:fs";

// Every version in package.json is exact and is the one in package-lock.json: an upgrade is a
// commit, and no two machines test different code.

type Manifest = {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
type Lock = { packages: Record<string, Partial<Manifest> & { version?: string }> };

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const manifest: Manifest = read("package.json");
const { packages }: Lock = read("package-lock.json");

/** A version, or another package under this name: `npm:typescript@5.9.3`. */
const exact = /^(?:npm:(?:@[^@/]+\/)?[^@/]+@)?(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/;

const faults: string[] = [];
for (const kind of ["dependencies", "devDependencies"] as const)
  for (const [name, wanted] of Object.entries(manifest[kind])) {
    const version = exact.exec(wanted)?.[1];
    const locked = packages[`node_modules/${name}`]?.version;
    if (version === undefined)
      faults.push(`package.json: ${name} is '${wanted}', not one exact version (${locked})`);
    else if (packages[""]?.[kind]?.[name] !== wanted || locked !== version)
      faults.push(`package-lock.json: ${name} is not ${wanted}; run npm install`);
  }

process.stderr.write(faults.map((line) => `${line}\n`).join(""));
process.exitCode = faults.length > 0 ? 1 : 0;
