import { data, useLocation, useNavigation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import {
  remove,
  removeAll,
  sendAgain,
  sendAllAgain,
  tryNow,
} from "~/features/mail/commands.server.ts";
import { MailList } from "~/features/mail/components/mail-list.tsx";
import { FailedTools, TroubleNotice } from "~/features/mail/components/mail-notices.tsx";
import {
  canSendSomeAgain,
  findTrouble,
  listMails,
  mailLine,
} from "~/features/mail/queries.server.ts";
import { mailStates } from "~/features/mail/schema.ts";
import { allOnTheirWay, allRemoved, loadFailed, messages } from "~/features/mail/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { Refused } from "~/platform/http/errors.ts";
import { failure } from "~/platform/http/failure.ts";
import { flash, redirectWithToast, type Toast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/services.ts";
import { DeskPage } from "~/ui/desk.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/list.ts";

const rowsAPage = 50;

export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { search, cursor } = readListParams(url, { newest: "desc" });
  const state = mailStates.find((name) => name === url.searchParams.get("state")) ?? null;
  const asked = { state, search };
  const timeZone = context.get(timeZoneContext);
  try {
    const [{ rows, ...pages }, trouble, exhausted, refused] = await Promise.all([
      listMails(services, { ...asked, cursor, limit: rowsAPage }),
      findTrouble(services, timeZone),
      canSendSomeAgain(services, "exhausted"),
      canSendSomeAgain(services, "refused"),
    ]);
    const lines = rows.map((row) => mailLine(services, row, timeZone));
    const canSend = { exhausted, refused };
    return { asked, loaded: { list: { ...pages, lines }, trouble, canSend } };
  } catch (error) {
    services.log.error({ err: error }, loadFailed);
    return { asked, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { intent = "", id = "" } = await formFields(request);
  try {
    const toast = await change(services, intent, id);
    return redirectWithToast(url.pathname + url.search, toast);
  } catch (error) {
    const { status, toast } = failure(services, error, messages.failed);
    return data(null, { status, headers: flash(request, context, toast) });
  }
}

const singles = new Map([
  ["again", sendAgain],
  ["now", tryNow],
  ["remove", remove],
]);

async function change(services: Services, intent: string, id: string): Promise<Toast> {
  if (intent === "all-again") return allOnTheirWay(await sendAllAgain(services, "exhausted"));
  if (intent === "refused-again") return allOnTheirWay(await sendAllAgain(services, "refused"));
  if (intent === "remove-all") return allRemoved(await removeAll(services));
  const single = singles.get(intent);
  if (!single) throw new Refused("invalid", messages.failed);
  await single(services, id);
  return intent === "remove" ? messages.removed : messages.onItsWay;
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(() => serverAction());

export const shouldRevalidate = unlessUnreachable;

export default function MailPage({ loaderData }: Route.ComponentProps) {
  const { asked, loaded } = loaderData;
  const here = useLocation();
  const { formData } = useNavigation();
  const isFailed = asked.state === "failed" && loaded && loaded.list.lines.length > 0;
  const busyIntent = (formData?.get("intent") as string | null) ?? null;
  return (
    <DeskPage
      title="Mail"
      lead="The letters that the site sends by itself."
      actions={isFailed && <FailedTools canSend={loaded.canSend} busyIntent={busyIntent} />}
    >
      <PageHead title="Mail" noindex />
      {loaded ? (
        <>
          {loaded.trouble && <TroubleNotice trouble={loaded.trouble} />}
          <MailList
            {...loaded.list}
            asked={asked}
            here={here}
            busyId={(formData?.get("id") as string | null) ?? null}
          />
        </>
      ) : (
        <LoadFailed message={loadFailed} href={here.pathname + here.search} />
      )}
    </DeskPage>
  );
}
