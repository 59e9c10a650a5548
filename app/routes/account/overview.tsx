import { SettingsLine, ThemeChoice } from "~/features/accounts/components/settings.tsx";
import { preferencesPath } from "~/features/accounts/messages.ts";
import { timeZonePlace } from "~/features/accounts/rules.ts";
import {
  AccountFrame,
  AccountPart,
  signOutForm,
} from "~/features/auth/components/account-frame.tsx";
import { findPendingEmailChange } from "~/features/auth/email-change.server.ts";
import { emailChangePath } from "~/features/auth/messages.ts";
import { findPasswordHash, requireSession } from "~/features/auth/reauthentication.server.ts";
import { countDevices } from "~/features/auth/sessions.server.ts";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/overview.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = requireSession(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  const [wish, devices, password] = await Promise.all([
    findPendingEmailChange(services, { userId: viewer.id, timeZone }),
    countDevices(services, viewer.id),
    findPasswordHash(services, viewer.id),
  ]);
  const { isZoneChosen } = context.get(sessionContext);
  const { name, email } = viewer;
  const place = timeZonePlace(timeZone);
  const isPasswordSet = password !== null;
  return { name, email, wanted: wish?.newEmail, devices, isPasswordSet, place, isZoneChosen };
}

export default function Account({ loaderData }: Route.ComponentProps) {
  const { name, email, wanted, devices, isPasswordSet, place, isZoneChosen } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Your account" noindex />
      <AccountPart id="you" title="You">
        <dl className="account-facts">
          <SettingsLine name="Name" href="/account/name" change="Change">
            {name}
          </SettingsLine>
          <SettingsLine name="Email" href={emailChangePath} change={wanted ? "See" : "Change"}>
            {email}
            {wanted && <span className="account-remark">{wanted} is waiting to be confirmed</span>}
          </SettingsLine>
          <SettingsLine
            name="Password"
            href="/account/password"
            change={isPasswordSet ? "Change" : "Set"}
          >
            {isPasswordSet ? "Only you know it" : "None yet"}
          </SettingsLine>
          <SettingsLine name="Signed in" href="/account/devices" change="See">
            {devices === 1 ? "On this device only" : `On ${devices} devices`}
          </SettingsLine>
          <SettingsLine name="Time zone" href="/account/time-zone" change="Change">
            {place}
            <span className="account-remark">
              {isZoneChosen ? "As you chose" : "As your device says"}
            </span>
          </SettingsLine>
        </dl>
        <p>
          <Button type="submit" form={signOutForm} variant="outline" size="sm">
            Sign out
          </Button>
        </p>
      </AccountPart>
      <AccountPart
        id="emails"
        title="Emails"
        lead="Which emails I may send you about your courses, and the newsletter."
      >
        <p>
          <a href={preferencesPath}>Choose your emails</a>
        </p>
      </AccountPart>
      <ThemeChoice />
    </AccountFrame>
  );
}
