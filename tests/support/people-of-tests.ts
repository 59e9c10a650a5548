import { beforeAll, beforeEach } from "vitest";
import { createPerson, type Person } from "./people.ts";
import type { TestSite } from "./site.ts";
import { type Visitor, visitor } from "./visitor.ts";

/** The administrator of a test file. */
export function adminOfFile(site: Pick<TestSite, "services">, name?: string): Person {
  const admin = {} as Person;
  beforeAll(async () => {
    Object.assign(
      admin,
      await createPerson(site.services, { role: "admin", ...(name && { name }) }),
    );
  });
  return admin;
}

/** A browser that is new to each test of a file. */
export function visitorOfTest(site: Pick<TestSite, "ask">): Visitor {
  const ada = {} as Visitor;
  beforeEach(() => {
    Object.assign(ada, visitor(site));
  });
  return ada;
}
