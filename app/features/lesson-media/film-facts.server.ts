import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from "mediabunny";
import type { OpenFile } from "~/platform/storage/storage.ts";
import { type Limits, Pieces } from "~/platform/uploads/pieces.ts";
import { filmTracks } from "./components/film-tracks.ts";
import type { FilmFacts } from "./films.ts";

const budgetBytes = 64 * 1024 * 1024;
const patienceMs = 20_000;

/** Reads the descriptions of a film's tracks, not the film. Null if that costs too much, or if they
 * are not as they should be. @throws {ReadFailed} if the file cannot be read now */
export async function readFilmFacts(file: OpenFile): Promise<FilmFacts | null> {
  const until = performance.now() + patienceMs;
  const limits: Limits = { left: budgetBytes, until, spent: false, failed: null };
  const pieces = new Pieces(file, limits, "usual");
  const input = new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new CustomSource({
      getSize: () => file.size,
      async read(start, end) {
        if (end - start > limits.left) throw new Error("a description is too long");
        const target = new Uint8Array(end - start);
        await pieces.peekBuffer(target, { position: start });
        return target;
      },
      handleUnhandledError: () => {},
    }),
  });
  try {
    return await filmTracks(input);
  } catch {
    if (limits.failed) throw limits.failed;
    return null;
  } finally {
    input.dispose();
  }
}
