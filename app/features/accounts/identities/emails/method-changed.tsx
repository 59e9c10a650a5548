import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { site } from "~content/site.ts";

type Props = {
  greeting: string;
  change: "linked" | "unlinked";
  method: string;
  /** To the page with her ways to sign in. */
  link: string;
};

/** Sent when a provider was linked to an account, or unlinked from it. */
export function MethodChanged({ greeting, change, method, link }: Props) {
  const isLinked = change === "linked";
  return (
    <Letter
      preview={`${method} was ${change}. If it was you, there is nothing to do.`}
      signature={site.coach.firstName}
      remark="This letter goes out whenever a way to sign in changes."
    >
      <Words>{greeting}</Words>
      <Words>
        {isLinked
          ? `${method} was just linked to your account at ${site.name}. From now on you can also sign in with it.`
          : `${method} was just unlinked from your account at ${site.name}. It opens your account no longer.`}
      </Words>
      <Words>
        {isLinked
          ? "If that was not you, please unlink it, and choose a new password."
          : "If that was not you, please look at your ways to sign in, and choose a new password."}
      </Words>
      <Act href={link}>See how I sign in</Act>
    </Letter>
  );
}
