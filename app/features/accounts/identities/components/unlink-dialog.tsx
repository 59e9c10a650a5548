import { Form, useLocation, useNavigate, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { methodsPath } from "../texts.ts";

/** Asks before a provider is unlinked. */
export function UnlinkDialog({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const busy = useNavigation().formData?.get("intent") === "unlink";
  return (
    <ConfirmDialog
      key={key}
      id="unlink"
      title={`Unlink ${name}?`}
      closeHref={methodsPath}
      onClose={() => void navigate(methodsPath, { replace: true, preventScrollReset: true })}
      form={
        <Form method="post" action={methodsPath}>
          <input type="hidden" name="intent" value="unlink" />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Unlinking...">
            {`Unlink ${name}`}
          </Button>
        </Form>
      }
    >
      <p>{`You will no longer sign in here with ${name}. Your account and all that you wrote stay as they are, and you can link it again.`}</p>
    </ConfirmDialog>
  );
}
