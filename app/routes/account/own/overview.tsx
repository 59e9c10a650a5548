import { findWish } from "~/features/accounts/address/queries.server.ts";
import { addressPath } from "~/features/accounts/address/texts.ts";
import {
  AccountFrame,
  AccountPart,
  signOutForm,
} from "~/features/accounts/components/account-frame.tsx";
import { countDevices } from "~/features/accounts/devices/queries.server.ts";
import { preferencesPath } from "~/features/accounts/letters/texts.ts";
import { findPassword, ownSession } from "~/features/accounts/owner/queries.server.ts";
import { Fact } from "~/features/accounts/settings/components/fact.tsx";
import { ThemeChoice } from "~/features/accounts/settings/components/theme-choice.tsx";
import { placeOf } from "~/features/accounts/settings/rules.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/overview.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer } = ownSession(context, url);
  const services = servicesOf(context);
  const timeZone = context.get(timeZoneContext);
  const [wish, devices, password] = await Promise.all([
    findWish(services, { userId: viewer.id, timeZone }),
    countDevices(services, viewer.id),
    findPassword(services, viewer.id),
  ]);
  const { isZoneChosen } = context.get(sessionContext);
  const { name, email } = viewer;
  const place = placeOf(timeZone);
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
          <Fact name="Name" href="/account/name" change="Change">
            {name}
          </Fact>
          <Fact name="Email" href={addressPath} change={wanted ? "See" : "Change"}>
            {email}
            {wanted && <span className="account-remark">{wanted} is waiting to be confirmed</span>}
          </Fact>
          <Fact name="Password" href="/account/password" change={isPasswordSet ? "Change" : "Set"}>
            {isPasswordSet ? "Only you know it" : "None yet"}
          </Fact>
          <Fact name="Signed in" href="/account/devices" change="See">
            {devices === 1 ? "On this device only" : `On ${devices} devices`}
          </Fact>
          <Fact name="Time zone" href="/account/time-zone" change="Change">
            {place}
            <span className="account-remark">
              {isZoneChosen ? "As you chose" : "As your device says"}
            </span>
          </Fact>
        </dl>
        <p>
          <Button type="submit" form={signOutForm} variant="outline" size="sm">
            Sign out
          </Button>
        </p>
      </AccountPart>
      <AccountPart
        id="letters"
        title="Letters"
        lead="Which letters I may send you about your courses, and the weekly one."
      >
        <p>
          <a href={preferencesPath}>Choose your letters</a>
        </p>
      </AccountPart>
      <ThemeChoice />
    </AccountFrame>
  );
}
