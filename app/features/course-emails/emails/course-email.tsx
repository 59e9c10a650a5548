import { Fragment } from "react";
import { UnsubscribeFooter } from "~/features/accounts/emails/unsubscribe-footer.tsx";
import type { UnsubscribeLinks } from "~/features/accounts/rules.ts";
import { HelpRemark } from "~/features/help/emails/help-remark.tsx";
import { EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";

type Props = { greeting: string; paragraphs: string[]; links: UnsubscribeLinks; help: string };

/** What the coach wrote to the students of a course, in plain text. */
export function CourseEmail({ greeting, paragraphs, links, help }: Props) {
  return (
    <EmailLayout
      preview={paragraphs.join(" ").replaceAll(/\s+/g, " ").slice(0, 150).toWellFormed()}
      remark={<HelpRemark href={help} />}
      foot={<UnsubscribeFooter kind="course-email" links={links} />}
    >
      <Words>{greeting}</Words>
      {paragraphs.map((paragraph, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike; they never move
        <Words key={at}>
          {paragraph.split("\n").map((line, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Fragment key={number}>
              {number > 0 && <br />}
              {withLinks(line)}
            </Fragment>
          ))}
        </Words>
      ))}
    </EmailLayout>
  );
}

/** As in an emailed lesson, an address is a link; the full stop after it is not part of it. */
const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?')\]])/;

const withLinks = (line: string) =>
  line.split(address).map((part, at) =>
    at % 2 === 1 ? (
      <SmallLink key={part} href={part}>
        {part}
      </SmallLink>
    ) : (
      part
    ),
  );
