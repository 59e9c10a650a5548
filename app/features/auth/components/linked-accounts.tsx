import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { signInMethodsPath } from "../messages.ts";

export function UnlinkDialog({ id, name }: { id: string; name: string }) {
  const busy = useNavigation().formData?.get("intent") === "unlink";
  return (
    <LinkedConfirmDialog
      id="unlink"
      title={`Unlink ${name}?`}
      closeHref={signInMethodsPath}
      form={
        <Form method="post" action={signInMethodsPath}>
          <input type="hidden" name="intent" value="unlink" />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Unlinking...">
            {`Unlink ${name}`}
          </Button>
        </Form>
      }
    >
      <p>{`You will no longer sign in here with ${name}. Your account and all that you wrote stay as they are, and you can link it again.`}</p>
    </LinkedConfirmDialog>
  );
}

type Linked = { id: string; name: string; email: string | null; since: string; canGo: boolean };

export function LinkedAccountList({ linked }: { linked: Linked[] }) {
  return (
    <ul className="grid">
      {linked.map(({ id, name, email, since, canGo }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4 first:border-t"
        >
          <div className="min-w-0">
            <p className="font-medium">{name}</p>
            {email && <p className="text-sm text-ink-soft">{email}</p>}
            <p className="text-sm text-ink-soft">{`Since ${since}`}</p>
          </div>
          {canGo ? (
            <ButtonLink
              href={`${signInMethodsPath}?unlink=${id}`}
              variant="outline"
              size="sm"
              aria-label={`Unlink ${name}`}
            >
              Unlink
            </ButtonLink>
          ) : (
            <p className="text-sm text-ink-soft">Your only way in</p>
          )}
        </li>
      ))}
    </ul>
  );
}
