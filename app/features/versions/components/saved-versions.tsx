import { useLocation } from "react-router";
import type { MarkedChange } from "../differences.server.ts";
import { versionMessages } from "../messages.ts";
import type { listVersions } from "../versions.server.ts";
import { ComparedVersion } from "./compared-version.tsx";
import { VersionList } from "./version-list.tsx";

type Props = {
  list: Awaited<ReturnType<typeof listVersions>>;
  compared: {
    number: number;
    who: string | null;
    when: string | null;
    changes: MarkedChange[];
    /** What the version was compared with. */
    seen: Record<string, string | number | boolean>;
  } | null;
};

/** The versions of a lesson or a course, and one of them beside what is stored now. */
export function SavedVersions({ list, compared }: Props) {
  const here = useLocation();
  return (
    <>
      {compared && (
        <ComparedVersion
          title={`Version ${compared.number}`}
          saved={versionMessages.saved(compared)}
          changes={compared.changes}
          same="It is the same as what is stored now."
          lead="If you bring it back, what is marked comes, and what is struck through goes."
          fields={{ number: compared.number, ...compared.seen }}
          button="Bring this version back"
        />
      )}
      <VersionList
        {...list}
        here={here}
        done="Saved"
        unknown={versionMessages.unknownAuthor}
        none={{
          title: "No versions yet",
          hint: "The first change you save adds two: how it was before, and how it is then.",
        }}
      />
    </>
  );
}
