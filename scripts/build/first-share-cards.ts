import { readFileSync } from "node:fs";
import path from "node:path";
import { contentFileName, readContentFile } from "../../app/features/pages/content-files.server.ts";
import { withNames } from "../../app/features/pages/names.server.ts";
import { renderContent } from "../../app/features/pages/render.server.ts";
import { shareCardOf } from "../../app/features/pages/share-card.ts";
import type { ShareCard } from "../../app/platform/share-cards/card.ts";
import { type PageKind, pageFields } from "../../content/fields.ts";
import { type ShareName, shareDrawings } from "../../content/share.ts";
import { site } from "./first-site.ts";

const folder = path.join(import.meta.dirname, "..", "..", "content", "pages");

function kindOf(name: ShareName): PageKind {
  if (name === "default") return "site";
  return name in pageFields ? (name as PageKind) : "course";
}

/** The share pictures of the first edition: what public/share must show. */
export async function firstShareCards(): Promise<[ShareName, ShareCard][]> {
  const names = Object.keys(shareDrawings) as ShareName[];
  return Promise.all(
    names.map(async (name): Promise<[ShareName, ShareCard]> => {
      const kind = kindOf(name);
      const file = contentFileName(kind, kind === "course" ? name : kind);
      const source = readContentFile(kind, readFileSync(path.join(folder, file), "utf8"), file);
      const shown = await renderContent(pageFields[kind], source, {
        text: async (markdown) => markdown,
        picture: (path) => path,
      });
      const card = shareCardOf(withNames(kind, shown, site), site, shareDrawings[name]);
      if (!card) throw new Error(`content/pages/${file}: has no words for its share picture`);
      return [name, card];
    }),
  );
}
