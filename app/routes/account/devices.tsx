import { Form } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { DeviceList } from "~/features/auth/components/device-list.tsx";
import { deviceMessages, devicesPath } from "~/features/auth/messages.ts";
import { requireSession } from "~/features/auth/reauthentication.server.ts";
import {
  listDevices,
  revokeOtherSessions,
  revokeSession,
} from "~/features/auth/sessions.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/devices.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer, sessionId } = requireSession(context, url);
  const asked = { userId: viewer.id, sessionId, timeZone: context.get(timeZoneContext) };
  return { devices: await listDevices(servicesOf(context), asked) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer, sessionId } = requireSession(context, url);
  const services = servicesOf(context);
  const { intent, session = "" } = await formFields(request);
  if (intent === "others") {
    await revokeOtherSessions(services.db.write, { userId: viewer.id, sessionId });
    return redirectWithToast(devicesPath, deviceMessages.othersEnded);
  }
  await revokeSession(services, { userId: viewer.id, sessionId }, session);
  return redirectWithToast(devicesPath, deviceMessages.ended);
}

export default function Devices({ loaderData }: Route.ComponentProps) {
  const { devices } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Where you are signed in" noindex />
      <AccountPart
        id="devices"
        title="Where you are signed in"
        lead="If one of these is not yours, sign it out and choose another password."
      >
        <DeviceList devices={devices} />
        {devices.length > 1 && (
          <Form method="post">
            <input type="hidden" name="intent" value="others" />
            <Button type="submit" variant="outline">
              Sign out everywhere else
            </Button>
          </Form>
        )}
      </AccountPart>
    </AccountFrame>
  );
}
