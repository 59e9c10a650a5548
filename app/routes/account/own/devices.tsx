import { Form } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { endOtherSessions, endSession } from "~/features/accounts/devices/commands.server.ts";
import { DeviceList } from "~/features/accounts/devices/components/device-list.tsx";
import { listDevices } from "~/features/accounts/devices/queries.server.ts";
import { devicesPath, deviceWords } from "~/features/accounts/devices/texts.ts";
import { ownSession } from "~/features/accounts/owner/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/devices.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const asked = { userId: viewer.id, sessionId, timeZone: context.get(timeZoneContext) };
  return { devices: await listDevices(servicesOf(context), asked) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer, sessionId } = ownSession(context, url);
  const services = servicesOf(context);
  const { intent, session = "" } = await formFields(request);
  if (intent === "others") {
    await endOtherSessions(services.db.write, { userId: viewer.id, sessionId });
    return redirectWithToast(devicesPath, deviceWords.othersEnded);
  }
  await endSession(services, { userId: viewer.id, sessionId }, session);
  return redirectWithToast(devicesPath, deviceWords.ended);
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
