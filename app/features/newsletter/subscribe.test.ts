import { afterEach, beforeEach, expect, test } from "vitest";
import { PermanentFailure } from "~/platform/jobs/job.ts";
import { type Provider, startProvider } from "../../../tests/support/provider.ts";
import { postSignup } from "./subscribe.server.ts";

const signup = { firstName: "Ada", email: "ada@example.com" };
let provider: Provider;
beforeEach(async () => {
  provider = await startProvider();
});
afterEach(() => provider.close());

test("a provider that does not answer in time is left, to be asked again", async () => {
  provider.answers.push("hang");
  const failure = await postSignup(provider.url, signup, 100).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: "TimeoutError" });
  expect(failure).not.toBeInstanceOf(PermanentFailure);
});

test.each([
  [200, undefined],
  [204, undefined],
  [303, undefined],
  [307, undefined],
  [400, PermanentFailure],
  [422, PermanentFailure],
  [404, Error],
  [429, Error],
  [500, Error],
])("%i", async (answer, kind) => {
  provider.answers.push(answer);
  const failure = await postSignup(provider.url, signup).catch((error: Error) => error);
  expect(failure?.constructor).toBe(kind);
});
