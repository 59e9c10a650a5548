import { data, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { AddSubscriberForm } from "~/features/newsletter/components/subscriber-detail.tsx";
import { subscriberMessages, subscribersPath } from "~/features/newsletter/messages.ts";
import { addSubscriber } from "~/features/newsletter/subscriber-list.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { failure, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/subscriber-new.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return null;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { firstName = "", email = "" } = await formFields(request);
  const typed = { firstName, email };
  try {
    const errors = await addSubscriber(services, typed);
    if (errors) return data({ errors, typed }, 400);
    const { added, addedAtProvider } = subscriberMessages;
    return redirectWithToast(
      subscribersPath,
      services.config.newsletterForm ? addedAtProvider : added,
    );
  } catch (error) {
    const { status, toast } = failure(services, error, subscriberMessages.failed);
    return data({ errors: {}, typed }, { status, headers: flash(request, context, toast) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function SubscriberNewPage({ actionData }: Route.ComponentProps) {
  const refused = actionData && "typed" in actionData ? actionData : null;
  return (
    <AdminPage
      title="Add somebody"
      lead="An email asks them to confirm. They are on the list once they say yes."
      above={[
        { href: "/admin/newsletter", label: "Newsletter" },
        { href: subscribersPath, label: "Subscribers" },
      ]}
    >
      <PageHead title="Add somebody" noindex />
      <AddSubscriberForm
        typed={refused?.typed ?? { firstName: "", email: "" }}
        errors={refused?.errors ?? {}}
        busy={useNavigation().formAction !== undefined}
      />
    </AdminPage>
  );
}
