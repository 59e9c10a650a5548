import { openIssues, recordPayment } from "../../../support/payments.ts";
import { createPerson } from "../../../support/people.ts";
import { adminAt, type Given, ok, type Row, seeOther } from "../row.ts";
import { aCourse } from "./thrown-away.ts";

const list = "/admin/payments";

/** Someone has paid for a course that did not open to her. */
async function aPayment(given: Given): Promise<string> {
  const { id: userId } = await createPerson(given.services, { name: "Paula" });
  const { id: productId } = await aCourse(given);
  return recordPayment(given.services, { userId, productId, attention: "course_deleted" });
}

const pressing = (form: Record<string, string>) => async (given: Given) => ({
  id: await aPayment(given),
  form,
});
const onePayment = /^\/admin\/payments\/[\w-]+$/;

const payments = adminAt(list);
const payment = adminAt(`${list}/:id`);

export const adminPaymentRows: Row[] = [
  payments.page(
    "the list, where nothing is sold",
    ok("Needs attention", "Nothing can be paid here yet"),
  ),
  payments.page(
    "the list, searched, somewhere",
    ok("No payment found"),
    `${list}?q=nobody&at=nowhere`,
  ),
  payment.page(
    "a payment",
    ok("Paula", "$197.00"),
    async (given) => `${list}/${await aPayment(given)}`,
  ),
  payment.page(
    "a payment, with an amount to refund that is none",
    ok("Write the amount as a number"),
    async (given) => `${list}/${await aPayment(given)}?part=abc`,
  ),
  payment.page("no such payment", 404, `${list}/none`),
  payment.post("nothing that is known", 400, pressing({ intent: "steal" })),
  payment.post(
    "marking it as done",
    seeOther(/^\/admin\/payments\?done=[\w-]+$/, "Marked as done"),
    async (given) => {
      const id = await aPayment(given);
      const [matter] = await openIssues(given.services, id);
      return { id, form: { intent: "resolve", issue: matter?.id ?? "" } };
    },
  ),
  payment.post(
    "putting back what is on the list",
    seeOther(onePayment, "Not put back"),
    pressing({ intent: "reopen" }),
  ),
  payment.post(
    "enrolling who paid",
    seeOther(onePayment, "Enrolled"),
    pressing({ intent: "enroll" }),
  ),
  payment.post(
    "giving the money back, where Stripe cannot be asked",
    seeOther(onePayment, "Error"),
    pressing({ intent: "refund", cents: "19700", left: "19700", attempt: "1" }),
  ),
];
