import { savePageDraft } from "~/features/pages/drafts.server.ts";
import { getEditedPage } from "~/features/pages/pages.server.ts";
import { getPageChanges, publishPage } from "~/features/pages/publish.server.ts";
import type { FieldValue } from "~/features/pages/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Person } from "./people.ts";

type Place = { page: string; field: string };

/** Drafts a place of a page, over whatever draft is there. */
export async function draftPlace(
  services: Services,
  { id: userId }: Pick<Person, "id">,
  { page: name, field, value }: Place & { value: FieldValue },
) {
  const page = await getEditedPage(services, name);
  const { drafts } = (await getPageChanges(services, page)).shown;
  const absorbed = drafts.filter((one) => one.field === field);
  await savePageDraft(services, page, {
    ...{ userId, draftId: newId(), revision: 1, absorbed, field, value },
  });
  return page;
}

/** Publishes all drafts of a page. @throws {Refused} with what is wrong with them */
export async function publishDrafts(services: Services, name: string): Promise<number> {
  const page = await getEditedPage(services, name);
  return publishPage(services, page, (await getPageChanges(services, page)).shown);
}
