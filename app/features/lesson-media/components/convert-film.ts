import { sendPicture } from "~/features/pictures/components/send-picture.ts";
import { filmFolder } from "../films.ts";
import { conversionMessages } from "../messages.ts";
import { TimeLeft } from "../time-left.ts";
import { askPanel } from "./ask-site.ts";
import type { FromWorker } from "./film-worker.ts";
import { startUpload, type UploadInput } from "./tus-upload.ts";
import { changeTransfer, dropTransfer, putTransfer, type Transfer } from "./upload-store.ts";

type Converted = Extract<FromWorker, { files: unknown }>;

/** Converts a film in a worker of this browser, then uploads it, the small one and its sound, one
 * after the other. One at a time in all tabs, as their files share a folder and the processor. It
 * reports to the store as an upload does. */
export async function startConversion(input: UploadInput): Promise<void> {
  const isAlone = await navigator.locks
    .query()
    .then(({ held = [] }) => !held.some(({ name }) => name === filmFolder));
  if (!isAlone) return putTransfer({ ...waiting(input), ...refused(conversionMessages.elsewhere) });
  void navigator.locks.request(filmFolder, () => convertAndUpload(input));
}

async function convertAndUpload(input: UploadInput): Promise<void> {
  await deleteFiles();
  const converted = await convert(input);
  if (converted) await uploadAll(input, converted).finally(deleteFiles);
}

const deleteFiles = async () => {
  const root = await navigator.storage.getDirectory();
  // What another tab has left behind, too.
  await root.removeEntry(filmFolder, { recursive: true }).catch(() => {});
};

const refused = (reason: string) => ({ status: "refused", reason, left: null }) as const;

const waiting = ({ lessonId, kind, file, href }: UploadInput): Transfer => ({
  ...{ lessonId, kind, rendition: null, href, fileName: file.name, size: file.size, sent: 0 },
  ...{ status: "converting", reason: null, left: null, uploadId: null },
  pause() {},
  resume() {},
  cancel: async () => {},
});

/** @returns null if it was cancelled or failed */
function convert(input: UploadInput): Promise<Converted | null> {
  const { file } = input;
  const worker = new Worker(new URL("./film-worker.ts", import.meta.url), { type: "module" });
  const timeLeft = new TimeLeft();
  const { promise, resolve } = withResolvers<Converted | null>();
  const of = waiting(input);
  putTransfer({
    ...of,
    async cancel() {
      resolve(null);
      dropTransfer(of);
    },
  });
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if ("files" in data) return resolve(data);
    if ("failed" in data) return fail(data.failed);
    const sent = Math.round(file.size * data.done);
    changeTransfer(of, { sent, left: timeLeft.read(performance.now(), data.done, 1) });
  };
  worker.onerror = ({ message }) => fail(message);
  function fail(words: string) {
    const isFull = /Quota|NoModification|space/i.test(words);
    changeTransfer(of, refused(isFull ? conversionMessages.noRoom : conversionMessages.failed));
    resolve(null);
  }
  worker.postMessage(file);
  return promise.finally(() => worker.terminate());
}

async function uploadAll(input: UploadInput, { files, still }: Converted): Promise<void> {
  const { "1080p": film, "480p": small, audio } = files;
  if (!film) return;
  const filmId = await sent({ ...input, file: film });
  if (!filmId) return;
  if (still) await offerPoster(input.lessonId, still);
  for (const [rendition, file] of [
    ["480p", small],
    ["audio", audio],
  ] as const)
    if (file)
      await sent({
        ...{ ...input, file, kind: rendition === "audio" ? "audio" : "video" },
        made: { rendition, renditionOf: filmId },
      });
}

/** A lesson that has a poster keeps it. */
async function offerPoster(lessonId: string, still: Blob): Promise<void> {
  const panel = await askPanel(lessonId);
  if (!panel.ok || panel.value.poster) return;
  const form = new FormData();
  for (const [name, value] of Object.entries({ use: "poster", id: lessonId, intent: "set" }))
    form.set(name, value);
  form.set("file", still, "still.jpg");
  await sendPicture(form);
}

/** @returns the upload's id once it is the site's; null if it was refused or cancelled */
function sent(input: UploadInput): Promise<string | null> {
  const { promise, resolve } = withResolvers<string | null>();
  void startUpload({ ...input, onEnd: resolve }, null);
  return promise;
}

/** Promise.withResolvers, which not every browser has. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
