import { RouterContextProvider } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runningReadings } from "~/features/journal/journal-page.server.ts";
import { noSession } from "~/platform/auth/session.ts";
import { restoredFormContext, servicesContext, sessionContext } from "~/platform/http/context.ts";
import { loader } from "~/routes/learn/journal.tsx";
import { createPerson } from "../../support/people.ts";
import { openTestServices } from "../../support/services.ts";

let test$: Awaited<ReturnType<typeof openTestServices>>;

beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());

test("without a place for reading, a page is put off; one that brings refused words back is not", async () => {
  const { id, email } = await createPerson(test$.services);
  const viewer = { id, email, name: "Reader", role: "student" as const };
  const held = Array.from({ length: 12 }, () => runningReadings.begin(id));
  expect(held).not.toContain(null);
  const read = (kept: "within" | null) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, test$.services);
    context.set(sessionContext, { ...noSession, viewer });
    context.set(restoredFormContext, kept);
    const url = new URL("http://localhost/my-courses/journal");
    return loader({ context, url } as never);
  };
  await expect(read(null)).rejects.toMatchObject({ init: { status: 503 } });
  expect(await read("within")).toMatchObject({ userId: id, journalPage: { page: 1 } });
  for (const end of held) end?.();
});
