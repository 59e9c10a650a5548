import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import ts from "typescript-classic";

/** A thing of JSON-LD as it was delivered. */
export type Node = { [property: string]: unknown };

type Declared = { parents: string[]; properties: Map<string, string[]> };

/**
 * The vocabulary of schema.org, read from the type declarations of schema-dts, which are made from
 * the vocabulary's own file: every type, its properties, and what each may hold.
 */
export function readVocabulary() {
  const file = createRequire(import.meta.url)
    .resolve("schema-dts")
    .replace(/\.js$/, ".d.ts");
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const interfaces = new Map<string, Declared>();
  const aliases = new Map<string, string[]>();
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement))
      interfaces.set(statement.name.text, declared(statement, source));
    if (ts.isTypeAliasDeclaration(statement))
      aliases.set(statement.name.text, members(statement.type, source));
  }

  /** Where a property of a type is declared: on the type itself or on one above it. */
  function rangeOf(name: string, property: string): string[] | undefined {
    const own = interfaces.get(name);
    return (
      own?.properties.get(property) ??
      own?.parents.map((parent) => rangeOf(parent, property)).find((range) => range !== undefined)
    );
  }

  /** Everything that an alias stands for: itself, its subtypes, its literals. */
  function standsFor(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const member of aliases.get(name) ?? []) standsFor(member, seen);
    return seen;
  }

  const accepts = (range: string[], name: string) =>
    range.some((each) => standsFor(each).has(name));

  /** What is wrong with a thing and those inside it; a line each, with the way to it. */
  function fieldErrors(node: Node, way = ""): string[] {
    const type = node["@type"];
    if (typeof type !== "string") return [`${way}: has no type`];
    if (!interfaces.has(`${type}Leaf`)) return [`${way}: schema.org has no type ${type}`];
    return Object.entries(node).flatMap(([property, value]) => {
      if (property.startsWith("@")) return [];
      const range = rangeOf(`${type}Leaf`, property);
      const here = `${way}${type}.${property}`;
      if (!range) return [`${here}: schema.org has no such property there`];
      return [value].flat().flatMap((one) => wrongValue(one, range, here));
    });
  }

  function wrongValue(value: unknown, range: string[], here: string): string[] {
    if (typeof value === "object" && value !== null) {
      const node = value as Node;
      if (Object.keys(node).join() === "@id") return [];
      const type = String(node["@type"]);
      const misplaced = accepts(range, type) ? [] : [`${here}: ${type} is not expected there`];
      return [...misplaced, ...fieldErrors(node, `${here} > `)];
    }
    return isScalar(value, range)
      ? []
      : [`${here}: ${JSON.stringify(value)} is not expected there`];
  }

  function isScalar(value: unknown, range: string[]): boolean {
    if (typeof value === "number" || typeof value === "boolean")
      return accepts(range, typeof value);
    if (typeof value !== "string" || value.trim() === "") return false;
    if (accepts(range, JSON.stringify(value))) return true;
    const kinds = range.filter((each) => accepts([each], "string"));
    return kinds.some((kind) => formOf[kind]?.(value) ?? true);
  }

  return { fieldErrors, types: interfaces.size };
}

const isDate = (text: string) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

/** Kinds of text that have a form. The declarations know them as text only. */
const formOf: Record<string, (text: string) => boolean> = {
  URL: (text) => /^https?:\/\//.test(text) && URL.canParse(text),
  Duration: (text) => /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?)?$/.test(text),
  Date: isDate,
  DateTime: isDate,
};

function declared(statement: ts.InterfaceDeclaration, source: ts.SourceFile): Declared {
  const properties = new Map<string, string[]>();
  for (const member of statement.members) {
    if (!ts.isPropertySignature(member) || !ts.isStringLiteral(member.name) || !member.type)
      continue;
    const [value] = ts.isTypeReferenceNode(member.type) ? (member.type.typeArguments ?? []) : [];
    properties.set(member.name.text, value ? members(value, source) : []);
  }
  const parents = statement.heritageClauses?.flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText(source)),
  );
  return { parents: parents ?? [], properties };
}

/** The members of a union by name; literals with their quotes. */
function members(type: ts.TypeNode, source: ts.SourceFile): string[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap((each) => members(each, source));
  if (ts.isTypeReferenceNode(type)) return [type.typeName.getText(source)];
  return [type.getText(source)];
}
