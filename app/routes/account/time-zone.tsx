import { Form } from "react-router";
import { timeZonePlace, timeZones } from "~/features/accounts/rules.ts";
import { chooseTimeZone, formErrorResponse } from "~/features/accounts/settings.server.ts";
import {
  AccountFrame,
  AccountPart,
  SaveOrCancel,
} from "~/features/auth/components/account-frame.tsx";
import { accountPath, settingsMessages } from "~/features/auth/messages.ts";
import { requireSession } from "~/features/auth/reauthentication.server.ts";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { clockTime } from "~/platform/time/words.ts";
import { Field } from "~/ui/field.tsx";
import { Select } from "~/ui/select.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/time-zone.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireSession(context, url);
  const timeZone = context.get(timeZoneContext);
  const { isZoneChosen } = context.get(sessionContext);
  const chosen = isZoneChosen ? timeZone : "";
  const now = clockTime(servicesOf(context).clock.now(), timeZone);
  return { chosen, place: timeZonePlace(timeZone), now, groups: timeZones(chosen || null) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { viewer } = requireSession(context, url);
  const { timeZone = "" } = await formFields(request);
  const fieldError = await chooseTimeZone(servicesOf(context), viewer.id, timeZone);
  if (fieldError) return formErrorResponse({ request, context }, fieldError, {});
  return redirectWithToast(accountPath, settingsMessages.zoneSaved);
}

export default function TimeZone({ loaderData, actionData }: Route.ComponentProps) {
  const { chosen, place, now, groups } = loaderData;
  return (
    <AccountFrame>
      <PageHead title="Your time zone" noindex />
      <AccountPart
        id="time-zone"
        title="Your time zone"
        lead="Days and times are shown in it, and emails about your lessons come in its morning."
      >
        <p>
          It is {now} now in {place}.
        </p>
        <Form method="post" className="grid gap-5">
          <Field label="Time zone" error={actionData?.fieldError.message}>
            <Select name="timeZone" defaultValue={chosen}>
              <option value="">As my device says</option>
              {groups.map(({ part, zones }) => (
                <optgroup key={part} label={part}>
                  {zones.map((zone) => (
                    <option key={zone} value={zone}>
                      {timeZonePlace(zone)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </Select>
          </Field>
          <SaveOrCancel />
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
