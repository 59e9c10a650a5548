import { data, redirect } from "react-router";
import { NewsletterForm } from "~/features/newsletter/components/newsletter-form.tsx";
import { newsletterMessages } from "~/features/newsletter/messages.ts";
import { subscribe } from "~/features/newsletter/subscribe.server.ts";
import { hasArchive } from "~/features/newsletter-archive/archive.server.ts";
import { FeedLink } from "~/features/newsletter-archive/components/archive-list.tsx";
import { archivePath } from "~/features/newsletter-archive/rules.ts";
import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import { clientAddressContext, incompleteContext, servicesOf } from "~/platform/http/context.ts";
import { flash } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { sentTimeZone } from "~/platform/http/time-zone.ts";
import { errorResponse, statusOf, wantsJson } from "~/platform/utils/errors.ts";
import { MessagePage } from "~/ui/message-page.tsx";
import { useSite } from "~content/use-site.ts";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-subscribe.ts";

export const handle = { shared: true } satisfies RouteHandle;

/** A signup by a script is answered in JSON at the same URL, without a page. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }, next) => {
    if (request.method !== "POST" || !wantsJson(request)) return next();
    const fields = await formFields(request).catch((): Record<string, undefined> => ({}));
    const address = context.get(clientAddressContext);
    const timeZone = sentTimeZone(request.headers, fields.timeZone);
    const result = await subscribe(servicesOf(context), { fields, address, timeZone });
    if (result.ok) return Response.json({ ok: true, message: newsletterMessages.done });
    const [field] = Object.keys(result.errors ?? {});
    return errorResponse(result.code, result.message, field);
  },
];

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await formFields(request);
  const address = context.get(clientAddressContext);
  const timeZone = sentTimeZone(request.headers, fields.timeZone);
  const result = await subscribe(servicesOf(context), { fields, address, timeZone });
  if (result.ok) return redirect("/thank-you", 303);
  const values = { firstName: fields.firstName, email: fields.email };
  const description = result.code === "rate_limited" ? result.message : undefined;
  const toast = { title: newsletterMessages.failed, description, tone: "destructive" } as const;
  const headers = result.errors ? {} : flash(request, context, toast);
  return data({ values, errors: result.errors }, { status: statusOf[result.code], headers });
}

/** Without a database, signing up still works as far as it can. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const page = await pageWords({ context, url }, "newsletter");
  try {
    return { ...page, isArchived: await hasArchive(services) };
  } catch (error) {
    services.log.error({ err: error }, "whether the archive is empty could not be read");
    context.set(incompleteContext, true);
    return { ...page, isArchived: false };
  }
}

export default function NewsletterSubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const words = useWords(loaderData.words);
  const { newsletterTitle, newsletterSubtitle } = useSite();
  return (
    <MessagePage title={newsletterTitle} lead={newsletterSubtitle}>
      <PageHead title={newsletterTitle} description={newsletterSubtitle} noindex />
      {loaderData.isArchived && <FeedLink />}
      <NewsletterForm
        id="page"
        source="newsletter"
        values={actionData?.values}
        errors={actionData?.errors}
      />
      <div className="border-t border-line pt-8">
        <h2 className="text-lg">
          {words.nextTitle}
          <Pencil at="nextTitle" />
        </h2>
        <ol className="mt-4 grid gap-3">
          {words.next.map(({ text }, index) => (
            <li key={text} className="flex gap-4 text-ink-soft">
              <span aria-hidden="true" className="w-4 shrink-0 font-serif text-dot">
                {index + 1}
              </span>
              <span className="text-pretty">
                {text}
                <Pencil at="next" item={index} />
              </span>
            </li>
          ))}
        </ol>
        {loaderData.isArchived && (
          <p className="mt-6 text-ink-soft">
            To see first what it is like, read <a href={archivePath}>the newsletter so far</a>.
          </p>
        )}
      </div>
    </MessagePage>
  );
}
