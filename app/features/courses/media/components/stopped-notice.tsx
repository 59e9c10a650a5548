import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { percentOf } from "../../panel/rules.ts";
import type { StoppedUpload } from "../../panel/schema.ts";
import { forgetUpload } from "./uploads.ts";
import { useAsk } from "./use-ask.tsx";

type Props = { upload: StoppedUpload; refresh: () => Promise<boolean> };

/** An upload that this tab is not sending: its tab was closed, or the computer went to sleep for good. */
export function StoppedNotice({ upload, refresh }: Props) {
  const [dialog, ask] = useAsk();
  const { id, fileName, received, size } = upload;
  const percent = percentOf(received, size);
  const forget = () =>
    ask({
      title: `Delete what has arrived of ${fileName}?`,
      text: `The ${percent} % that have arrived are deleted. The file on your computer stays as it is.`,
      yes: "Delete",
      no: "Keep",
      onYes: async () => {
        await forgetUpload(id);
        await refresh();
      },
    });
  return (
    <Notice title={`${fileName} stopped at ${percent} %`}>
      <p>Choose the same file again and it goes on from there.</p>
      <Button variant="link" size="sm" onClick={forget}>
        Delete what has arrived
      </Button>
      {dialog}
    </Notice>
  );
}
