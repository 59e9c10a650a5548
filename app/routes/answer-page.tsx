import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { PageHead } from "./page-head.tsx";

type Props = { title: string; subtitle: string; href: string; action: string; news?: boolean };

/** A page that only leads on, such as the answer to a form whose link has expired. */
export function AnswerPage({ title, subtitle, href, action, news = true }: Props) {
  return (
    <AuthPage title={title} subtitle={subtitle} news={news}>
      <PageHead title={title} noindex />
      <p>
        <ButtonLink href={href} size="lg">
          {action}
        </ButtonLink>
      </p>
    </AuthPage>
  );
}
