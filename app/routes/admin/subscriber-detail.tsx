import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import {
  RemoveSubscriber,
  SubscriberFacts,
} from "~/features/newsletter/components/subscriber-detail.tsx";
import { subscriberMessages, subscribersPath } from "~/features/newsletter/messages.ts";
import {
  findSubscriberDetail,
  removeSubscriber,
} from "~/features/newsletter/subscriber-list.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/subscriber-detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const timeZone = context.get(timeZoneContext);
  const subscriber = await findSubscriberDetail(servicesOf(context), params.id, timeZone);
  if (!subscriber) throw data(null, 404);
  return { subscriber, isRemoving: url.searchParams.has("delete") };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent } = await formFields(request);
  if (intent !== "remove") throw data(null, 400);
  try {
    await removeSubscriber(services, params.id);
    return redirectWithToast(subscribersPath, subscriberMessages.removed);
  } catch (error) {
    const { status, toast } = failure(services, error, subscriberMessages.failed);
    return data(null, { status, headers: flash(request, context, toast) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function SubscriberPage({ loaderData, params }: Route.ComponentProps) {
  const { subscriber, isRemoving } = loaderData;
  const path = `${subscribersPath}/${params.id}`;
  return (
    <AdminPage
      title={<span className="wrap-anywhere">{subscriber.email}</span>}
      above={[
        { href: "/admin/newsletter", label: "Newsletter" },
        { href: subscribersPath, label: "Subscribers" },
      ]}
      actions={
        <ButtonLink variant="ghost" href={`${path}?delete=1`}>
          Remove
        </ButtonLink>
      }
    >
      <PageHead title={subscriber.email} noindex />
      <SubscriberFacts subscriber={subscriber} />
      {isRemoving && <RemoveSubscriber subscriber={subscriber} closeHref={path} />}
    </AdminPage>
  );
}
