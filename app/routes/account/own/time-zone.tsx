import { Form, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { ownSession } from "~/features/accounts/owner/queries.server.ts";
import { chooseTimeZone, complain } from "~/features/accounts/settings/commands.server.ts";
import { placeOf, timeZones } from "~/features/accounts/settings/rules.ts";
import { accountPath, settingWords } from "~/features/accounts/settings/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { clockTime } from "~/platform/time/words.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Select } from "~/ui/select.tsx";
import type { Route } from "./+types/time-zone.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  ownSession(context, url);
  const timeZone = context.get(timeZoneContext);
  const { isZoneChosen } = context.get(sessionContext);
  const chosen = isZoneChosen ? timeZone : "";
  const now = clockTime(servicesOf(context).clock.now(), timeZone);
  return { chosen, place: placeOf(timeZone), now, groups: timeZones(chosen || null) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer } = ownSession(context, url);
  const { timeZone = "" } = await formFields(request);
  const complaint = await chooseTimeZone(servicesOf(context), viewer.id, timeZone);
  if (complaint) return complain({ request, context }, complaint, {});
  return redirectWithToast(accountPath, settingWords.zoneSaved);
}

export default function TimeZone({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  const { chosen, place, now, groups } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Your time zone" noindex />
      <AccountPart
        id="time-zone"
        title="Your time zone"
        lead="Days and times are shown in it, and letters about your lessons come in its morning."
      >
        <p>
          It is {now} now in {place}.
        </p>
        <Form method="post" className="grid gap-5">
          <Field label="Time zone" error={actionData?.complaint.message}>
            <Select name="timeZone" defaultValue={chosen}>
              <option value="">As my device says</option>
              {groups.map(({ part, zones }) => (
                <optgroup key={part} label={part}>
                  {zones.map((zone) => (
                    <option key={zone} value={zone}>
                      {placeOf(zone)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Select>
          </Field>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={busy} busyLabel="Saving...">
              Save
            </Button>
            <ButtonLink href={accountPath} variant="outline">
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
