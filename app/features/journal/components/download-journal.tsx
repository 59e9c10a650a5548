import { Link } from "react-router";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { exportPath } from "../messages.ts";

/** Ways to take everything along, and to be rid of what is written. */
export function DownloadJournal({ hasWords }: { hasWords: boolean }) {
  return (
    <section aria-labelledby="keep-title" className="notebook-keep">
      <h2 id="keep-title" className="text-xl">
        It is yours
      </h2>
      <p className="mt-3 text-ink-soft">
        You can download everything this site stores about you as one file: your journal to read,
        and all the rest as data.
      </p>
      <form method="post" action={exportPath} className="mt-5">
        <Button type="submit" variant="outline">
          Download everything
        </Button>
      </form>
      {hasWords && (
        <p className="mt-6">
          <Link
            to="?delete=all"
            preventScrollReset
            className={buttonStyles({ variant: "link", size: "sm", className: "notebook-delete" })}
          >
            Delete everything I have written
          </Link>
        </p>
      )}
    </section>
  );
}
