import path from "node:path";
import { projectRoot } from "../utils/version.ts";
import type { DrawingName } from "./card.ts";

/** Where the drawings are in the project. */
const drawingFiles: Record<DrawingName, string> = {
  water: "app/ui/illustrations/water.svg",
  horizon: "app/ui/illustrations/horizon.svg",
  stones: "app/ui/illustrations/stepping-stones.svg",
  path: "app/ui/illustrations/empty-path.svg",
  compass: "app/ui/illustrations/compass.svg",
  chairs: "app/ui/illustrations/two-chairs.svg",
  kitchen: "public/pictures/ten-past-four.svg",
};

const fontFile = (name: string) => `app/platform/share-cards/fonts/${name}.ttf`;
const fraunces = ["fraunces-latin", "fraunces-latin-ext", "fraunces-vietnamese"].map(fontFile);
const figtree = ["figtree-latin", "figtree-latin-ext"].map(fontFile);

/** The files of a face, and then those that stand in for characters it lacks. */
export const faceFiles = {
  serif: [...fraunces, ...figtree],
  sans: [...figtree, ...fraunces],
};
export type Face = keyof typeof faceFiles;

/** What the build brings along in build/server/share-cards, by name. */
export const builtCardFiles: readonly string[] = [
  ...Object.values(drawingFiles),
  ...faceFiles.serif,
];

/** HarfBuzz looks for it beside the file that it is bundled into. */
export const shaperFile = "node_modules/harfbuzzjs/dist/harfbuzz.wasm";

/** Where a file is now: in the project, or in the build of it. */
export function cardFile(file: string): string {
  if (import.meta.filename.endsWith(".ts")) return path.join(projectRoot, file);
  return path.join(projectRoot, "build", "server", "share-cards", path.basename(file));
}

export const drawingFile = (drawing: DrawingName): string => cardFile(drawingFiles[drawing]);
