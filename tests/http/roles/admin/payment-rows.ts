import { openIssues, recordPayment } from "../../../support/payments.ts";
import { createPerson } from "../../../support/people.ts";
import { adminOnly, at, type Given, type Row } from "../row.ts";
import { aCourse } from "./thrown-away.ts";

const list = "/admin/payments";

/** Somebody has paid for a course that did not open to her. */
async function aPayment(given: Given): Promise<string> {
  const { id: userId } = await createPerson(given.services, { name: "Paula" });
  const { id: productId } = await aCourse(given);
  return recordPayment(given.services, { userId, productId, attention: "course_deleted" });
}

const pressing = (form: Record<string, string>) => async (given: Given) => ({
  path: `${list}/${await aPayment(given)}`,
  form,
});
const onePayment = /^\/admin\/payments\/[\w-]+$/;

export const adminPaymentRows: Row[] = [
  {
    pattern: list,
    what: "the list, where nothing is sold",
    page: true,
    ask: at(list),
    expect: adminOnly({ status: 200, has: ["Needs attention", "Nothing can be paid here yet"] }),
  },
  {
    pattern: list,
    what: "the list, searched, somewhere",
    page: true,
    ask: at(`${list}?q=nobody&at=nowhere`),
    expect: adminOnly({ status: 200, has: ["No payment found"] }),
  },
  {
    pattern: `${list}/:id`,
    what: "a payment",
    page: true,
    ask: async (given) => ({ path: `${list}/${await aPayment(given)}` }),
    expect: adminOnly({ status: 200, has: ["Paula", "$197.00"] }),
  },
  {
    pattern: `${list}/:id`,
    what: "no such payment",
    page: true,
    ask: at(`${list}/none`),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: `${list}/:id`,
    what: "nothing that is known",
    method: "POST",
    ask: pressing({ intent: "steal" }),
    expect: adminOnly({ status: 400 }),
  },
  {
    pattern: `${list}/:id`,
    what: "marking it as done",
    method: "POST",
    ask: async (given) => {
      const id = await aPayment(given);
      const [matter] = await openIssues(given.services, id);
      return { path: `${list}/${id}`, form: { intent: "attend", matter: matter?.id ?? "" } };
    },
    expect: adminOnly({ status: 303, location: list, toast: "Marked as done" }),
  },
  {
    pattern: `${list}/:id`,
    what: "enrolling who paid",
    method: "POST",
    ask: pressing({ intent: "enroll" }),
    expect: adminOnly({ status: 303, location: onePayment, toast: "Enrolled" }),
  },
  {
    pattern: `${list}/:id`,
    what: "giving the money back, where Stripe cannot be asked",
    method: "POST",
    ask: pressing({ intent: "refund", cents: "19700", attempt: "1" }),
    expect: adminOnly({ status: 303, location: onePayment, toast: "Error" }),
  },
];
