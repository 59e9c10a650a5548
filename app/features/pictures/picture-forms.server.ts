import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Toast } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { pictureMessages, pictureToasts } from "./messages.ts";
import { addPicture, setCover, setPortrait, setPoster } from "./pictures.server.ts";
import { lessonPicture, type PictureFacts, pictureLine } from "./rules.ts";
import type { AddedPicture, PictureRequest } from "./schema.ts";

type Answered = { to: string; toast: Toast; json: AddedPicture | object };

/** Does what a form of {@link PictureRequest} asks for. @returns where a page without scripts goes
 * on, and what a script gets @throws {Refused} as {@link addPicture}, and not_found */
export async function answerPictureForm(
  services: Services,
  userId: string,
  asked: PictureRequest,
): Promise<Answered> {
  const add = async (lessonId: string | null) => {
    if (!asked.file?.size) throw new Refused("invalid", pictureMessages.noFile);
    return addPicture(services, { bytes: await asked.file.bytes(), lessonId, userId });
  };
  switch (asked.use) {
    case "lesson": {
      const picture = await add(asked.id);
      const { db } = services;
      await db.transaction((trx) =>
        recordAudit(trx, services, { action: "lesson.picture-added", id: asked.id }),
      );
      return { ...lessonPage(asked.id), ...added(picture) };
    }
    case "page": {
      const picture = await add(null);
      await services.db.transaction((trx) =>
        recordAudit(trx, services, { action: "page.picture-added" }),
      );
      return { to: "/admin/pages", ...added(picture) };
    }
    case "poster": {
      const isSet = asked.intent === "set";
      const pictureId = isSet ? (await add(asked.id)).id : null;
      await setPoster(services, { lessonId: asked.id, pictureId });
      const toast = pictureToasts.poster[isSet ? "set" : "removed"];
      return { ...lessonPage(asked.id), json: {}, toast };
    }
    case "cover": {
      const { id: courseId, alt, intent } = asked;
      const of = { courseId, alt };
      if (intent === "describe") await setCover(services, of);
      else
        await setCover(services, {
          ...of,
          pictureId: intent === "set" ? (await add(null)).id : null,
        });
      const said = { set: "set", describe: "described", remove: "removed" } as const;
      return {
        to: `/admin/courses/${courseId}`,
        json: {},
        toast: pictureToasts.cover[said[intent]],
      };
    }
    case "portrait": {
      const isSet = asked.intent === "set";
      await setPortrait(services, isSet ? (await add(null)).id : null);
      const toast = pictureToasts.portrait[isSet ? "set" : "removed"];
      return { to: "/admin/settings", json: {}, toast };
    }
  }
}

function added(picture: PictureFacts): Omit<Answered, "to"> {
  const { src, width, height } = lessonPicture(picture);
  const line = pictureLine(picture.id);
  const description = `Copy this line to its place in the text: ${line}`;
  return {
    json: { id: picture.id, line, src, width, height } satisfies AddedPicture,
    toast: { title: "Picture uploaded", description },
  };
}

const lessonPage = (id: string) => ({ to: `/admin/lessons/${id}` });
