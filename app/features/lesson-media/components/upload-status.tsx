import { useLocation } from "react-router";
import { percentOf } from "../rules.ts";
import { type Transfer, useTransfers } from "./upload-store.ts";

/** Uploads that go on while the user is elsewhere in the admin, with links back to them. */
export default function UploadStatus() {
  const { pathname, search } = useLocation();
  const elsewhere = useTransfers().filter(
    ({ lessonId }) => !(pathname + search).includes(lessonId),
  );
  if (elsewhere.length === 0) return null;
  return (
    <aside aria-label="Uploads" className="uploads">
      <ul>
        {elsewhere.map((transfer) => (
          <li key={`${transfer.lessonId} ${transfer.kind} ${transfer.rendition} ${transfer.slot}`}>
            <a href={`${transfer.href}#media`}>{wordsFor(transfer)}</a>
          </li>
        ))}
      </ul>
    </aside>
  );
}

function wordsFor({ fileName, status, sent, size }: Transfer): string {
  const percent = `${percentOf(sent, size)} %`;
  if (status === "converting") return `Converting ${fileName}, ${percent}`;
  if (status === "refused") return `${fileName} was not taken`;
  if (status === "ready") return `${fileName} is uploaded`;
  if (status === "checking") return `Checking ${fileName}`;
  if (status === "paused") return `${fileName} is paused at ${percent}`;
  if (status === "signed-out") return `${fileName} waits for you to sign in again, ${percent}`;
  if (status === "waiting") return `Waiting for the connection: ${fileName}, ${percent}`;
  if (status === "queued") return `${fileName} waits for the others`;
  return `Uploading ${fileName}, ${percent}`;
}
