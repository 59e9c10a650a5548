import { EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { useSite } from "~content/use-site.ts";

type MonthlyDigestProps = {
  greeting: string;
  /** 'November'. */
  month: string;
  issues: { subject: string; preview: string; url: string }[];
  frequency: string;
  unsubscribe: string;
};

/** What has appeared in a month, for those who asked for one email a month. */
export function MonthlyDigest(props: MonthlyDigestProps) {
  const { greeting, month, issues, frequency, unsubscribe } = props;
  const site = useSite();
  return (
    <EmailLayout
      preview={issues
        .map(({ subject }) => subject)
        .join(" · ")
        .slice(0, 150)
        .toWellFormed()}
      remark={
        <>
          You get this once a month because you asked for it at {site.name}. You can{" "}
          <SmallLink href={frequency}>change how often I write</SmallLink> or{" "}
          <SmallLink href={unsubscribe}>unsubscribe</SmallLink> at any time.
        </>
      }
    >
      <Words>{greeting}</Words>
      <Words>
        {issues.length === 1
          ? `In ${month} I wrote one newsletter. It is here whenever you want it.`
          : `In ${month} I wrote ${issues.length} newsletters. They are here whenever you want them, in any order, or not at all.`}
      </Words>
      {issues.map(({ subject, preview, url }) => (
        <Words key={url}>
          <SmallLink href={url}>{subject}</SmallLink>
          {preview && (
            <>
              <br />
              {preview}
            </>
          )}
        </Words>
      ))}
    </EmailLayout>
  );
}
