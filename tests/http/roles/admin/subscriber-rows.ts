import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createImport, createSubscriber } from "../../../support/newsletter.ts";
import { adminAt, ok, type Row, seeOther } from "../row.ts";

const list = "/admin/newsletter/subscribers";
const files = "/admin/newsletter/import";
const address = () => `${newId()}@example.com`;
const added = async ({ services }: { services: Services }) =>
  `${list}/${await createSubscriber(services, address())}`;
const read = async ({ services }: { services: Services }) =>
  `${files}/${await createImport(services)}`;

const subscribers = adminAt(list);
const adding = adminAt(`${list}/new`);
const subscriber = adminAt(`${list}/:id`);
const imports = adminAt(files);
const file = adminAt(`${files}/:id`);
const problems = adminAt(`${files}/:id/problems`);

export const subscriberRows: Row[] = [
  subscribers.page("the list", ok("Subscribers")),
  subscribers.page(
    "the list, searched, filtered, somewhere",
    ok("Subscribers"),
    `${list}?q=a&state=left&at=x`,
  ),
  adding.page("the form", ok("Add somebody")),
  adding.post("adding somebody", seeOther(list, "Asked to confirm"), () => ({
    form: { firstName: "Ada", email: address() },
  })),
  adding.post("an empty form", 400, { form: {} }),
  subscriber.page("one of them", ok("What they got"), added),
  subscriber.page("one that is not there", 404, `${list}/${newId()}`),
  subscriber.post("removing one", seeOther(list, "Removed"), async (asked) => ({
    path: await added(asked),
    form: { intent: "remove" },
  })),
  imports.page("the form", ok("Import subscribers")),
  imports.post("no file", 400, { form: { where: "a fair" } }),
  file.page("a file that was read", ok("Rows to look at"), read),
  file.page("one that is not there", 404, `${files}/${newId()}`),
  file.post(
    "importing it",
    seeOther(/^\/admin\/newsletter\/import\//, "Importing"),
    async (asked) => ({
      path: await read(asked),
      form: { intent: "import" },
    }),
  ),
  problems.page(
    "the rows to look at",
    ok("Not an email address"),
    async (asked) => `${await read(asked)}/problems`,
  ),
];
