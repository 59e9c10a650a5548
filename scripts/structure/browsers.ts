import data from "@mdn/browser-compat-data" with { type: "json" };
import type {
  BrowserName,
  CompatStatement,
  Identifier,
  SimpleSupportStatement,
} from "@mdn/browser-compat-data";
import { parseSync, Visitor } from "vite";
import manifest from "../../package.json" with { type: "json" };

// The oldest browsers are in package.json (`browserslist`), what they know in MDN's data.

const namesAtMdn: Record<string, BrowserName> = { ios_saf: "safari_ios" };
const oldest = manifest.browserslist.map((query) => {
  const [name = "", version = ""] = query.split(" >= ");
  return { browser: namesAtMdn[name] ?? (name as BrowserName), version };
});

const isAfter = (version: string, limit: string) =>
  version.replace("≤", "").localeCompare(limit, "en", { numeric: true }) > 0;

const isIn = (version: string) => (support: SimpleSupportStatement) =>
  typeof support.version_added === "string" &&
  /\d/.test(support.version_added) &&
  !isAfter(support.version_added, version) &&
  (!support.version_removed || isAfter(String(support.version_removed), version)) &&
  !(support.flags || support.alternative_name || support.prefix);

const isEverywhere = ({ support }: CompatStatement) =>
  oldest.every(({ browser, version }) => [support[browser] ?? []].flat().some(isIn(version)));

const isMissing = (feature: Identifier | undefined) =>
  feature?.__compat !== undefined && !isEverywhere(feature.__compat);

type Features = Record<string, Identifier | undefined>;
const own = (features: object | undefined, name: string) =>
  features && Object.hasOwn(features, name) ? (features as Features)[name] : undefined;

const globals = { ...data.api.Window, ...data.api, ...data.javascript.builtins } as Features;

/** Methods that no object of the oldest browsers has. */
const missing = new Set<string>();
const known = new Set<string>();
for (const owner of Object.values(globals))
  for (const [name, feature] of Object.entries((owner ?? {}) as Features))
    if (!/_(static|event)$|^__compat$/.test(name)) (isMissing(feature) ? missing : known).add(name);
for (const name of known) missing.delete(name);

const takesSelector = new Set(["closest", "matches", "querySelector", "querySelectorAll"]);

type Node = { type: string; [part: string]: unknown };
const nameOf = (node: Node) => (node.type === "Identifier" ? String(node.name) : "");

function inCallee(callee: Node): string | null {
  const name = nameOf(callee);
  if (name) return isMissing(own(globals, name)) ? name : null;
  if (callee.type !== "MemberExpression" || callee.computed) return null;
  const owner = nameOf(callee.object as Node);
  if (isMissing(own(globals, owner))) return owner;
  const method = nameOf(callee.property as Node);
  const members = own(globals, owner);
  const member = own(members, `${method}_static`) ?? own(members, method);
  if (member) return isMissing(member) ? `${owner}.${method}` : null;
  return missing.has(method) ? `.${method}` : null;
}

/** Pseudo-classes in the selector that a method takes: it throws when one is not known. */
function inSelector(callee: Node, selector: Node | undefined): string[] {
  const method = callee.type === "MemberExpression" ? nameOf(callee.property as Node) : "";
  if (!takesSelector.has(method) || typeof selector?.value !== "string") return [];
  return [...selector.value.replace(/\[[^\]]*\]/g, "").matchAll(/(?<!:):([a-z-]+)/g)]
    .map(([, name = ""]) => name)
    .filter((name) => isMissing(own(data.css.selectors, name)))
    .map((name) => `:${name}`);
}

/** What a script calls that one of the oldest browsers lacks, by name: `AbortSignal.any`,
 * `.checkVisibility`, `:popover-open`. An optional call (`a.b?.()`) is its own guard; other guards
 * are not seen, nor is whose method it is, so a method of our own with such a name is found too. */
export function missingInOldest(script: string): string[] {
  const found = new Set<string | null>();
  new Visitor({
    CallExpression({ callee, optional, arguments: [first] }) {
      if (!optional) found.add(inCallee(callee as unknown as Node));
      for (const name of inSelector(callee as unknown as Node, first as unknown as Node))
        found.add(name);
    },
    NewExpression({ callee }) {
      found.add(inCallee(callee as unknown as Node));
    },
  }).visit(parseSync("script.js", script).program);
  return [...found].filter((name) => name !== null);
}
