import { performance } from "node:perf_hooks";
import { expect, test } from "vitest";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { type Asking, startSite } from "../support/site.ts";
import { openShop } from "../support/stripe/shop.ts";
import { startUnreliableProxy } from "../support/unreliable-network.ts";

const server = process.env.TEST_DATABASE_URL;

test.runIf(server)(
  "a silent PostgreSQL: every answer comes in time, and the site stops",
  {
    timeout: 60_000,
  },
  async () => {
    const { hostname, port } = new URL(server ?? "");
    const wire = await startUnreliableProxy(hostname, Number(port || 5432));
    const site = await startSite({}, undefined, (config) => {
      const url = Object.assign(new URL(config.databaseUrl ?? ""), {
        host: `127.0.0.1:${wire.port}`,
      });
      const limits = { databaseSilenceMs: 800, answerWithinMs: 1000 };
      return { ...config, databaseUrl: url.href, ...limits };
    });
    const student = await createPerson(site.services);
    const course = await createCourse(site.services, [[{}]]);
    const as = { id: student.id, cookie: await site.cookieOf(student) };
    const login = { email: "a@example.com", password: "Abcdefg1" };
    wire.fallSilent();
    const asked: [string, Asking][] = [
      ["/my-courses", { as }],
      ["/my-courses.data", { as }],
      [`/courses/${course.slug}`, { as }],
      [`/courses/${course.slug}`, { as, form: {} }],
      ["/auth", { form: login }],
      ["/api/auth/sign-in/email", { json: login }],
      ["/api/session", { as }],
      ["/newsletter", { form: { email: "a@example.com", firstName: "Ada" } }],
    ];
    for (const [path, asking] of asked) {
      const begun = performance.now();
      const { status } = await site.ask(path, asking);
      expect.soft([path, status]).toEqual([path, 503]);
      expect.soft(performance.now() - begun, path).toBeLessThan(5000);
    }
    const begun = performance.now();
    await site.leave();
    await site.close();
    expect(performance.now() - begun).toBeLessThan(15_000);
    await wire.close();
  },
);

test("a silent Stripe: every answer comes after two tries", async () => {
  const shop = await openShop((config) => ({
    ...config,
    ...(config.stripe && { stripe: { ...config.stripe, timeoutMs: 200 } }),
  }));
  const { id, slug } = await createCourse(shop.services, [[{}]]);
  const [open, bought] = [await shop.begin(), await shop.buy()];
  const as = open.buyer;
  const paid = shop.account.pay(open.sessionId);
  shop.stripe.faults.plan("hang", { times: 1000 });
  const asked: [string, () => Promise<{ status: number }>][] = [
    ["checkout", () => shop.ask("/api/create-checkout", { as, json: { productId: id } })],
    ["button", () => shop.ask(`/courses/${slug}`, { as, form: {} })],
    ["return", () => shop.ask(`/enrollment-success?session_id=${open.sessionId}`, { as })],
    ["webhook", () => shop.post(paid)],
    ["refund", () => shop.press(bought, { intent: "refund" })],
    ["payment", () => shop.ask(`/admin/payments/${bought.id}`, { as: shop.coach })],
  ];
  for (const [name, ask] of asked) {
    const before = shop.stripe.calls.length;
    await ask();
    const paths = shop.stripe.calls.slice(before).map(({ path }) => path);
    const tries = Math.max(0, ...paths.map((path) => paths.filter((one) => one === path).length));
    expect.soft(tries, name).toBeLessThanOrEqual(2);
  }
  shop.stripe.faults.release();
  await shop.close();
});
