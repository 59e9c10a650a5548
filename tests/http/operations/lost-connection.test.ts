import pg from "pg";
import { describe, expect, test } from "vitest";
import { goodPassword } from "../../support/accounts.ts";
import { openEveryPage, type SitePage } from "../../support/every-page.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { decode } from "../../support/responses.ts";

const server = process.env.TEST_DATABASE_URL;
const plainSentence = "Please try again in a minute. Nothing that you wrote is lost.";

/** What passes the checks that come before the database; anything else gets words. */
const typed: Record<string, string> = {
  ...{
    email: "somebody@example.com",
    address: "somebody@example.com",
    password: goodPassword,
    slug: "a-slug",
    part: "1",
  },
  ...{
    orderNum: "3",
    dripDay: "2",
    price: "12",
    prompts: '[{"question":"How was it?"}]',
    topic_2: "",
  },
  text: 'WEBVTT\n\n00:00.000 --> 00:02.000\nThe "sound" of <b>water</b>\n',
};
const wordsFor = (name: string) => typed[name] ?? `Words "of" <${name}> & more`;

type Field = { name: string; value: string; isTyped: boolean; isSecret: boolean };
type Sent = Form & Pick<SitePage, "as"> & { cookie: string };
type Form = { path: string; fields: Field[]; isMultipart: boolean };

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1];
  return value === undefined ? undefined : decode(value);
};

const chosen = (options: string) => {
  const tags = (options.match(/<option\b[^>]*>/g) ?? []).filter((tag) => attribute(tag, "value"));
  const tag = tags.find((one) => /\sselected/.test(one)) ?? tags[0];
  return tag === undefined ? "" : (attribute(tag, "value") ?? "");
};

/** The controls of a form that it would send, without its buttons. */
function fieldsOf(html: string): Field[] {
  return [
    ...html.matchAll(
      /<(input|textarea|select)\b([^>]*)>((?:(?!<\/?(?:input|textarea|select)\b)[\s\S])*)/g,
    ),
  ].flatMap(([, element, attributes = "", inside = ""]) => {
    const name = attribute(attributes, "name");
    const type = attribute(attributes, "type") ?? "text";
    if (!name || type === "file") return [];
    if (/^(checkbox|radio)$/.test(type) && !/\schecked/.test(attributes)) return [];
    const isText = element === "input" && /^(text|email|number|url|date)$/.test(type);
    return [
      {
        name,
        value: {
          input: attribute(attributes, "value") ?? "",
          textarea: decode(inside.replace(/^\n/, "")),
          select: chosen(inside),
        }[element as "input" | "textarea" | "select"],
        isTyped: element === "textarea" || isText,
        isSecret: type === "password" || name === "code",
      },
    ];
  });
}

function formsOf(html: string, page: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(
    ([, attributes = "", inside = ""]) => {
      const fields = fieldsOf(inside);
      const isPost = attribute(attributes, "method") === "post";
      if (!isPost || !fields.some(({ isTyped }) => isTyped)) return [];
      const action = attribute(attributes, "action") ?? page;
      const id = attribute(attributes, "id");
      const elsewhere = (html.match(/<button\b[^>]*>/g) ?? []).filter(
        (tag) => id !== undefined && attribute(tag, "form") === id,
      );
      const button = [inside, ...elsewhere]
        .map((text) => /<button\b[^>]*\sname="intent"[^>]*>/.exec(text)?.[0])
        .find(Boolean);
      const intent = button && {
        ...{ name: "intent", value: attribute(button, "value") ?? "" },
        ...{ isTyped: false, isSecret: false },
      };
      return [
        {
          path: action.startsWith("?") ? page.replace(/\?.*/, "") + action : action,
          isMultipart: attribute(attributes, "enctype") === "multipart/form-data",
          fields: [...fields, ...(intent ? [intent] : [])].map((field) =>
            field.isTyped || field.isSecret ? { ...field, value: wordsFor(field.name) } : field,
          ),
        },
      ];
    },
  );
}

const key = ({ path, fields }: Form) =>
  `${path.replaceAll(/[0-9a-f-]{36}/g, ":id")} ${fields.map(({ name }) => name).join(" ")}`;

/** Every form in which something can be typed. */
async function everyForm({ pages, ask, cookieOf }: Awaited<ReturnType<typeof openEveryPage>>) {
  typed.who = pages.find(({ path }) => path === "/account/name")?.as?.email ?? "";
  const forms = new Map<string, Sent>();
  for (const { path, as } of pages) {
    const cookie = as ? await cookieOf(as) : "";
    const page = await ask(path, { as: as && { id: as.id, cookie } });
    for (const form of formsOf(await page.text(), path))
      if (!forms.has(key(form))) forms.set(key(form), { ...form, as, cookie });
  }
  return [...forms.values()];
}

const pairsOf = (fields: Field[]) =>
  fields.map(({ name, value }): [string, string] => [name, value.replaceAll("\r\n", "\n")]);

async function connected(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

const endWaiting = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = $1 and wait_event_type = 'Lock'`;

describe.runIf(server)("a form whose database is lost", () => {
  const site = openForTests(async () => {
    const opened = await openEveryPage();
    return { ...opened, forms: await everyForm(opened) };
  });

  const databaseUrl = () => site.services.config.databaseUrl ?? "";
  const name = () => new URL(databaseUrl()).pathname.slice(1);

  const send = (form: Sent, suffix = "") => {
    const [path = "", query] = form.path.split("?");
    const fields = pairsOf(form.fields);
    return site.ask(path + suffix + (query === undefined ? "" : `?${query}`), {
      as: form.as && { id: form.as.id, cookie: form.cookie },
      ...(form.isMultipart ? { multipart: fields } : { form: fields }),
    });
  };

  async function answerOf(response: Response) {
    const html = await response.text();
    const { status, headers } = response;
    const back = fieldsOf(html).filter(({ isSecret }) => !isSecret);
    return {
      ...{ status, retryAfter: headers.get("retry-after"), isPlain: html.includes(plainSentence) },
      action: attribute(/<form[^>]*>/.exec(html)?.[0] ?? "", "action"),
      sentBack: pairsOf(back),
      shown: back.filter(({ isTyped, value }) => isTyped && value).map(({ name }) => name),
    };
  }

  const expected = (form: Form) => ({
    ...{ status: 503, retryAfter: "10", isPlain: true, action: form.path },
    sentBack: pairsOf(form.fields.filter(({ isSecret }) => !isSecret)),
    shown: form.fields
      .filter(({ isTyped, isSecret, value }) => isTyped && !isSecret && value)
      .map(({ name }) => name),
  });

  async function expectKept(form: Sent, page: Response, data: Response) {
    const { status, headers } = data;
    const [retryAfter, isOfRouter] = [headers.get("retry-after"), headers.has("x-remix-response")];
    // React's router leaves a page as it is after such an answer (app/platform/http/unreachable.ts).
    const withScripts = { status: 503, retryAfter: "10", isOfRouter: false };
    expect
      .soft({
        form: key(form),
        ...(await answerOf(page)),
        data: { status, retryAfter, isOfRouter },
      })
      .toEqual({ form: key(form), ...expected(form), data: withScripts });
  }

  test("in the middle of saving: comes back with what was typed", { timeout: 90_000 }, async () => {
    const [locks, admin] = [await connected(databaseUrl()), await connected(server ?? "")];
    const { rows } = await locks.query(
      "select string_agg(quote_ident(tablename), ',') as all from pg_tables where schemaname = 'public'",
    );
    // A form without its file, which no page can give back, gets no further than the check.
    const saving = site.forms.filter(
      ({ path, fields }) =>
        !/^\/admin\/(pictures|newsletter\/import)$/.test(path) &&
        !fields.some(({ value }) => value === "preview" || value === "review"),
    );
    for (const form of saving) {
      // Reading goes on, so each form gets as far as it can.
      await locks.query(`begin; lock table ${rows[0].all} in exclusive mode`);
      let isAnswered = false;
      const asked = Promise.all([send(form), send(form, ".data")]).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered) await admin.query(endWaiting, [name()]);
      await locks.query("rollback");
      await expectKept(form, ...(await asked));
    }
    await Promise.all([locks.end(), admin.end()]);
  });

  test("before it is sent: the same, and it can be sent again", async () => {
    const admin = await connected(server ?? "");
    await admin.query(`alter database ${name()} with allow_connections false`);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}'`,
    );
    expect(site.forms.length).toBeGreaterThan(20);
    for (const form of site.forms)
      await expectKept(form, await send(form), await send(form, ".data"));
    const long = { form: { title: "Long", content: "é".repeat(20_000) } };
    const cookie = site.forms.find(({ path }) => path === "/admin/courses/new")?.cookie ?? "";
    const page = await site.ask("/admin/lessons/new", { ...long, headers: { cookie } });
    expect(fieldsOf(await page.text())[1]?.value).toBe(long.form.content);

    const [buyer] = site.forms.filter(({ path }) => path === "/account/name");
    const program = await site.ask("/api/create-checkout", {
      json: { productId: "x" },
      headers: { cookie: buyer?.cookie ?? "" },
    });
    expect([program.status, program.headers.get("retry-after")]).toEqual([503, "10"]);
    expect((await program.json()).error.code).toBe("unavailable");

    await admin.query(`alter database ${name()} with allow_connections true`);
    await admin.end();
    const [rename] = site.forms.filter(({ path }) => path === "/account/name");
    await expect.poll(async () => (await send(rename as Sent)).status).toBe(303);
  });
});
