import type Stripe from "stripe";

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<title>${title}</title><link rel="icon" href="data:,"></head>` +
  `<body><main><h1>${title}</h1>${body}</main></body></html>`;

/** What stands for Stripe's own page: a way to pay, a slow one, and a way back. */
export function payPage(session: Stripe.Checkout.Session): string {
  if (session.status !== "open") return page("This checkout session is over", "");
  const dollars = ((session.amount_total ?? 0) / 100).toFixed(2);
  return page(
    "Pay",
    `<p>$${dollars} for ${session.customer_email ?? "somebody"}</p>
     <form method="post"><button name="how" value="card">Pay by card</button>
     <button name="how" value="debit">Pay by bank debit</button></form>
     <p><a href="${session.cancel_url ?? "/"}">Back</a></p>`,
  );
}

/** Where somebody who has paid is sent. */
export function successAddress(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? "").replace("{CHECKOUT_SESSION_ID}", session.id);
}
