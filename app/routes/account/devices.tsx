import { Form } from "react-router";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
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
  const asked = { ...requireSession(context, url), timeZone: context.get(timeZoneContext) };
  return { devices: await listDevices(servicesOf(context), asked) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const own = requireSession(context, url);
  const services = servicesOf(context);
  const { intent, session = "" } = await formFields(request);
  if (intent === "others") {
    await revokeOtherSessions(services.db.write, own);
    return redirectWithToast(devicesPath, deviceMessages.othersEnded);
  }
  await revokeSession(services, own, session);
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

function DeviceList({ devices }: Route.ComponentProps["loaderData"]) {
  return (
    <ul className="account-rows">
      {devices.map(({ id, device, since, lastUsed, isThisOne }) => (
        <li key={id}>
          <span>
            <span className="font-medium">{device}</span>
            {isThisOne && <span className="text-sage"> – this device</span>}
            <span className="account-remark">Signed in on {since}</span>
            {!isThisOne && <span className="account-remark">Last used on {lastUsed}</span>}
          </span>
          {!isThisOne && (
            <Form method="post">
              <input type="hidden" name="session" value={id} />
              <Button type="submit" variant="ghost" size="sm">
                Sign out
                <span className="sr-only">
                  : {device}, last used on {lastUsed}
                </span>
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
