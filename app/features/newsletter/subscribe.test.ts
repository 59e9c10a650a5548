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

const post = (patience?: number) =>
  postSignup(provider.url, signup, patience).catch((error: Error) => error);

test.each<readonly [Provider["answers"][number], "done" | "retried" | "failed"]>([
  [200, "done"],
  [204, "done"],
  [303, "done"],
  // A thank-you page, which nobody opens.
  [{ status: 302, location: "https://www.provider.example/thanks" }, "done"],
  [{ status: 302, location: "?thanks" }, "done"],
  // The form has moved: the signup has not arrived.
  [{ status: 301, location: "/forms/7/subscriptions/" }, "retried"],
  [{ status: 302, location: "https://www.provider.example/forms/7/subscriptions" }, "retried"],
  [{ status: 307, location: "http://elsewhere.example/forms/7" }, "retried"],
  [{ status: 308, location: "http://elsewhere.example/forms/7" }, "retried"],
  ...[500, 502, 503, 429, 408, 404, 403, 401].map((status) => [status, "retried"] as const),
  ["drop", "retried"],
  [400, "failed"],
  [422, "failed"],
])("a signup that the provider answers with %j is %s", async (answer, outcome) => {
  provider.answers.push(answer);
  const error = await post();
  const failed = error instanceof PermanentFailure ? "failed" : "retried";
  expect(error ? failed : "done").toBe(outcome);
  expect(provider.arrived).toHaveLength(1);
  // What the provider said, it may have said with the email address in it.
  expect(String(error)).not.toContain(signup.email);
});

test.each([307, 308])("a signup is sent on by a %i once, with the same words", async (status) => {
  const onward = { status, location: "/v2/forms/7" };
  provider.answers.push(onward);
  expect(await post()).toBeUndefined();
  const [first, second] = provider.arrived;
  expect(second).toMatchObject({ method: "POST", path: "/v2/forms/7", fields: first?.fields });
  provider.answers.push(onward, onward);
  expect(await post()).toBeInstanceOf(Error);
  expect(provider.arrived).toHaveLength(4);
});

test("a signup whose answer does not come in time is retried", async () => {
  provider.answers.push("hang");
  const error = await post(100);
  expect(error).toMatchObject({ name: "TimeoutError" });
  expect(error).not.toBeInstanceOf(PermanentFailure);
});
