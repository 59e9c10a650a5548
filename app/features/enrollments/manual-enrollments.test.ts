import { afterAll, beforeAll, expect, test } from "vitest";
import type { Services } from "~/platform/http/services.ts";
import { createCourse } from "../../../tests/support/courses.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { enroll } from "./enrollments.server.ts";
import { listEnrollments } from "./manual-enrollments.server.ts";

let kit: Awaited<ReturnType<typeof openTestServices>>;
let services: Services;
const plain = {
  search: "",
  courseId: null,
  sort: "created",
  direction: "desc",
  cursor: null,
  limit: 50,
} as const;
const names = async (asked: Partial<Parameters<typeof listEnrollments>[1]>) =>
  (await listEnrollments(services, { ...plain, ...asked })).rows.map(({ name }) => name);

beforeAll(async () => {
  kit = await openTestServices();
  services = kit.services;
});
afterAll(() => kit.close());

test("newest first, with student and course; narrowed by search and course; in pages", async () => {
  const letters = await createCourse(services, [], { title: "Letters" });
  const calm = await createCourse(services, [], { title: "Calm" });
  const gone = await createCourse(services, [], { title: "Gone" });
  for (const [name, course] of [
    ["Ada", letters],
    ["Bo 100%", calm],
    ["Zoë", letters],
    ["Eve", gone],
  ] as const) {
    const { id: userId } = await createPerson(services, { name });
    kit.clock.forward(1000);
    await enroll(services, { userId, productId: course.id });
  }
  const deletedAt = services.clock.now();
  await services.db.write
    .updateTable("products")
    .set({ deletedAt })
    .where("id", "=", gone.id)
    .execute();

  expect(await names({})).toEqual(["Zoë", "Bo 100%", "Ada"]);
  expect(await names({ direction: "asc" })).toEqual(["Ada", "Bo 100%", "Zoë"]);
  expect(await names({ courseId: letters.id })).toEqual(["Zoë", "Ada"]);
  expect(await names({ courseId: "none" })).toEqual([]);
  expect(await names({ search: "zO" })).toEqual(["Zoë"]);
  expect(await names({ search: "100%" })).toEqual(["Bo 100%"]);
  expect(await names({ search: "nobody_" })).toEqual([]);
  expect(await names({ search: "@EXAMPLE.com", courseId: calm.id })).toEqual(["Bo 100%"]);

  const first = await listEnrollments(services, { ...plain, limit: 2 });
  const second = await listEnrollments(services, { ...plain, limit: 2, cursor: first.next });
  expect(second.rows).toMatchObject([{ name: "Ada", course: "Letters", stripePaymentId: null }]);
  expect(second.next).toBeNull();
  const emails = (await listEnrollments(services, { ...plain, sort: "email", direction: "asc" }))
    .rows;
  expect(emails.map(({ email }) => email)).toEqual(emails.map(({ email }) => email).toSorted());
});
