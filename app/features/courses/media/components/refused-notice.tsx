import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";

type Props = { fileName: string; reason: string | null; onDismiss: () => void };

/** A file that the site did not take, and why. */
export function RefusedNotice({ fileName, reason, onDismiss }: Props) {
  return (
    <Notice tone="destructive" title={`${fileName} was not taken`} live>
      <p>{reason}</p>
      <Button variant="link" size="sm" onClick={onDismiss}>
        Dismiss
      </Button>
    </Notice>
  );
}
