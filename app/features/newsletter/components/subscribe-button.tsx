import type { ComponentProps } from "react";
import { Button } from "~/ui/button.tsx";
import { newsletterDialogId } from "../messages.ts";

/** Opens the newsletter dialog; where scripts are off or late, leads to the form's own page. */
export function SubscribeButton(props: Omit<ComponentProps<typeof Button>, "type">) {
  return (
    <form action="/newsletter" className="contents">
      <Button
        type="submit"
        data-dialog-open={newsletterDialogId}
        aria-haspopup="dialog"
        {...props}
      />
    </form>
  );
}
