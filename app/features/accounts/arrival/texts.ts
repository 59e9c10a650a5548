type Words = { title: string; description: string };

/** Why somebody who came back from a provider is not signed in, or has nothing linked. */
type Refusal = (provider: string) => Words;

const lost: Refusal = () => ({
  title: "Please try once more",
  description:
    "Coming back works once, within five minutes, and in the browser in which you left. Nothing has changed.",
});

const refused: Refusal = (provider) => ({
  title: `${provider} could not confirm who you are`,
  description: "Please try again. Nothing has changed.",
});

const refusals: Record<string, Refusal> = {
  // She pressed 'Cancel' there: nothing is wrong.
  access_denied: (provider) => ({
    title: `You came back from ${provider}`,
    description: "Nothing has changed. You can go on here whenever you like.",
  }),
  provider_away: (provider) => ({
    title: `${provider} cannot be reached just now`,
    description: "Please try again in a little while. Another way to sign in works as always.",
  }),
  provider_refused: refused,
  provider_unusable: refused,
  no_address: (provider) => ({
    title: `${provider} did not tell us your email address`,
    description: "An account needs one. You can sign up with your email and a password instead.",
  }),
  account_not_linked: (provider) => ({
    title: "Please sign in as usual",
    description: `Then connect ${provider} on your account page: from then on it opens your account too.`,
  }),
  other_session: (provider) => ({
    title: `${provider} was not linked`,
    description: "You signed in anew in between. Please press the button once more.",
  }),
  linked_elsewhere: (provider) => ({
    title: "That belongs to another account",
    description: `Somebody signs in here with that account of ${provider} already. It was not linked.`,
  }),
  enough: (provider) => ({
    title: `${provider} was not linked`,
    description: "Your account has as many ways to sign in as it can have. Unlink one first.",
  }),
  no_session: (provider) => ({
    title: `${provider} was not linked`,
    description: "You are signed out. Please sign in first.",
  }),
  too_many: () => ({
    title: "Please wait a minute",
    description: "That was a lot of tries in a short time.",
  }),
  sign_in_refused: () => ({
    title: "You could not be signed in",
    description: "Please try again, or sign in another way.",
  }),
  trouble: () => ({
    title: "Something went wrong here",
    description: "It is not your doing. Please try again.",
  }),
};

/** What is said for a code in `?error=` of a page; whatever else stands there is a visit that was lost. */
export function refusalOf(code: string, provider: string): Words {
  return (Object.hasOwn(refusals, code) && refusals[code] ? refusals[code] : lost)(provider);
}

export const arrivedNew = { title: "Your account is ready.", description: "You are signed in." };
