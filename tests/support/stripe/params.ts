/** What Stripe's clients send: nested, its leaves text. */
// biome-ignore lint/suspicious/noExplicitAny: as loose as what arrives.
export type Params = Record<string, any>;

/** 'line_items[0][quantity]=1' as an object; what looks like a list is one. */
export function readParams(query: URLSearchParams): Params {
  const params: Params = {};
  for (const [name, value] of query) {
    const path = name.split(/[[\]]+/).filter((part) => part !== "");
    if (name.endsWith("[]")) path.push(String(Object.keys(at(params, path)).length));
    const last = path.pop() ?? "";
    at(params, path)[last] = value;
  }
  return withLists(params);
}

function at(params: Params, path: string[]): Params {
  let place = params;
  for (const part of path) {
    place[part] ??= {};
    place = place[part];
  }
  return place;
}

function withLists(params: Params): Params {
  const entries = Object.entries(params).map(
    ([name, value]) => [name, typeof value === "object" ? withLists(value) : value] as const,
  );
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
