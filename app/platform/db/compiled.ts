import type { Compilable, CompiledQuery } from "kysely";
import type { Query } from "./database.ts";

class Slot {
  readonly name: string | symbol;

  constructor(name: string | symbol) {
    this.name = name;
  }
}

/** Makes the SQL of a query that many requests need once for each handle; each call puts its
 * parameters into their places. `build` must not read them: it is given placeholders. */
export function compiledOnce<P extends object, Row>(
  build: (db: Query, parameters: P) => Compilable<Row>,
): (db: Query, parameters: P) => Promise<Row[]> {
  const known = new WeakMap<Query, CompiledQuery<Row>>();
  const slots = new Proxy({}, { get: (_, name) => new Slot(name) }) as P;
  return async (db, parameters) => {
    let query = known.get(db);
    if (!query) {
      query = build(db, slots).compile();
      known.set(db, query);
    }
    const values = query.parameters.map((value) =>
      value instanceof Slot ? parameters[value.name as keyof P] : value,
    );
    return (await db.executeQuery({ ...query, parameters: values })).rows as Row[];
  };
}
