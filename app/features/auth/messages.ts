/** The default destination after signing in (spec 9). */
export const defaultDestination = "/my-courses";

export const passwordHint = "Must be 8+ characters with uppercase, lowercase, and number";

export const authMessages = {
  validation: "Validation Error",
  signUpFailed: "Sign up failed",
  signInFailed: "Sign in failed",
  created: {
    title: "Account created!",
    description: "Please check your email to verify your account.",
  },
  welcome: { title: "Welcome back!", description: "You've successfully signed in." },
  sentAgain: { title: "It has been sent again.", description: "Please check your email." },
  sendFailed: "The email was not sent",
  resetFailed: "The password was not changed",
  verifyFailed: "Your address is not confirmed yet",
  invalidLink: "This link no longer works",
  signedOut: { title: "You are signed out." },
  verified: { title: "Email address confirmed", description: "You are signed in." },
  verifiedBefore: { title: "Email address confirmed", description: "You can sign in." },
  passwordChanged: {
    title: "Password changed",
    description: "Please sign in with the new one.",
  },
  adminCreated: { title: "Account ready", description: "You can sign in now." },
  tooMany: "That was a lot of tries in a short time. Please wait a minute and try again.",
  unreachable: "Something went wrong here. Please try again.",
} as const;

export const securityPath = "/account/security";
export const addAppPath = "/account/security/app";
export const backupCodesPath = "/account/security/codes";
export const renamePath = "/account/security/rename";
export const removePath = "/account/security/remove";
export const twoFactorPath = "/auth/second-step";
export const protectPath = "/auth/protect";

export const maxSecurityMethods = { apps: 10, passkeys: 10 } as const;
/** How many backup codes are created, and below how many left the user is warned. */
export const backupCodeCount = 10;
export const fewBackupCodes = 3;

export const twoFactorMessages = {
  name: "Give it a name, so that you recognize it later.",
  nameTooLong: "Please use 60 characters at most.",
  code: "Enter the six digits that your app shows, or a backup code.",
  sixDigits: "Enter the six digits that your app shows.",
  wrongCode: "That code does not fit. Codes change every half minute: try the one shown now.",
  wrongBackupCode: "That backup code does not fit, or it has been used before.",
  usedCode: "That code has been used already. Your app shows a new one within half a minute.",
  tooManyCodes:
    "Many codes have been tried for this account. Use a backup code or a passkey, or come back in an hour.",
  tooManyTries: "That was a lot of tries in a short time. Please wait a quarter of an hour.",
  pendingOver: {
    title: "Please sign in once more",
    description: "The second step has to follow within ten minutes.",
  },
  triesOver: {
    title: "Please sign in once more",
    description: "Five codes did not fit. Nothing is lost: begin again with your password.",
  },
  password: "Enter your password.",
  wrongPassword: "That is not your password.",
  signInAgain: "Please sign out and in again first: it has been a while.",
  tooManyApps: `There are ${maxSecurityMethods.apps} apps already. Remove one that you no longer use.`,
  tooManyPasskeys: `There are ${maxSecurityMethods.passkeys} passkeys already. Remove one that you no longer use.`,
  lastWayIn: "It is your only way in. Set a password first, or add another passkey.",
  gone: "It is not there any more.",
  appAdded: { title: "Authenticator app added", tone: "success" },
  renamed: { title: "The name is changed.", tone: "success" },
  removed: { title: "It is removed.", tone: "success" },
  passkeyAdded: { title: "Passkey added", tone: "success" },
  fewCodesLeft: (left: number) =>
    `${left === 0 ? "That was your last backup code" : left === 1 ? "One backup code is left" : `${left} backup codes are left`}: please make new ones in your account, under Security.`,
  adminNeedsFactor: {
    title: "One more step for administrators",
    description: "Add an authenticator app or a passkey here. Then the admin opens.",
  },
  passkey: {
    unknown:
      "That passkey is not known here. It may have been removed. Sign in with your email and password.",
    notVerified:
      "That device did not ask who you are. Set a PIN, a finger or a face on it first, and try again.",
    known: "This device has a passkey for this account already.",
    failed: "That did not work. Try again, or sign in with your email and password.",
    notAdded: "That did not work. Your device may not take passkeys. You can try another one.",
    offline: "The site cannot be reached just now. Please try again in a minute.",
  },
} as const;

export const securityMethodKinds = {
  app: {
    noun: "authenticator app",
    gone: "Its codes will not be taken at sign-in any more.",
    goneLast:
      "It is the only one: signing in will ask for your password alone, and your backup codes go as well.",
  },
  passkey: {
    noun: "passkey",
    gone: "You will not be able to sign in with it any more. Your device may go on offering it: you can delete it there as well.",
    goneLast:
      "You will not be able to sign in with it any more. Your device may go on offering it: you can delete it there as well.",
  },
} as const;

/** Subjects of security alerts, also used in the first sentence. */
export const securityAlertSubjects = {
  "app-added": "An authenticator app was added",
  "app-removed": "An authenticator app was removed",
  "passkey-added": "A passkey was added",
  "passkey-removed": "A passkey was removed",
  "codes-made": "New backup codes were made",
  "code-used": "A backup code was used",
  reset: "Two-factor authentication was reset",
  "wrong-codes": "Wrong codes were tried for your account",
  "wrong-passwords": "Many wrong passwords were tried for your account",
  "new-device": "A new device was used to sign in",
  "provider-refused": "A sign-in through another service was refused",
  "admin-invited": "An administrator was invited",
  "admin-added": "There is a new administrator",
  "admin-removed": "An administrator was removed",
} as const;

export type SecurityAlertKind = keyof typeof securityAlertSubjects;

type Words = { title: string; description: string };

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
  // The user pressed 'Cancel' at the provider; this is no error.
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
    description: "You signed in again in between. Please press the button once more.",
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

/** The message for an `?error=` code; unknown codes count as a lost visit. */
export function providerErrorMessage(code: string, provider: string): Words {
  return (Object.hasOwn(refusals, code) && refusals[code] ? refusals[code] : lost)(provider);
}

export const welcomeNewUser = {
  title: "Account ready",
  description: "You are signed in.",
};

export const emailChangePath = "/account/email";
export const confirmEmailChangePath = "/account/email/confirm";

export const emailChangeMessages = {
  same: "That is your address already.",
  tooMany: "You have asked for this several times today. Please try again tomorrow.",
  asked: {
    title: "Two emails sent",
    description: "Your address changes once both are confirmed.",
    tone: "success",
  },
  cancelled: { title: "Your address stays as it is.", tone: "success" },
  changed: { title: "Email address changed", tone: "success" },
  changedSignIn: {
    title: "Email address changed",
    description: "Please sign in with the new one.",
    tone: "success",
  },
} as const;

export const verificationMessages = {
  missing: "Please enter the password that you chose when you signed up.",
  wrong: "This is not the password with which the account was made.",
  tooMany: "That was a lot of tries. Please wait a quarter of an hour, or choose a new password.",
} as const;

export const devicesPath = "/account/devices";

export const deviceMessages = {
  ended: { title: "That device is signed out.", tone: "success" },
  othersEnded: { title: "You are signed in on this device only.", tone: "success" },
} as const;

export const signInMethodsPath = "/account/sign-in-methods";

export const reauthenticatePath = `${signInMethodsPath}?show=owner`;

export const linkedAccountMessages = {
  linked: (provider: string) => ({
    title: `${provider} is linked.`,
    description: "You can sign in with it from now on.",
  }),
  unlinked: { title: "It is unlinked.", description: "It opens your account no longer." },
  shown: { title: "Thank you.", description: "You can go on now." },
  unknown: { title: "It was unlinked already." },
  last: {
    title: "That is your only way in",
    description: "Set a password first, or link another way to sign in. Then this one can go.",
  },
  linkSent: (email: string) => ({
    title: "Please check your email",
    description: `We sent a link to choose a password to ${email}. It works for an hour.`,
  }),
  noEmail: "The email was not sent",
} as const;

export const guessablePasswordMessage =
  "This password is easy to guess. Please choose another one: a few words in a row are good.";

/** Words found on every page of sites like this one, besides the names of the site and coach. */
export const siteWords = [
  "admin",
  "administrator",
  "calm",
  "coach",
  "coaching",
  "course",
  "courses",
  "grief",
  "journal",
  "lesson",
  "lessons",
  "loss",
  "method",
  "newsletter",
  "password",
  "student",
  "welcome",
] as const;

/** Shown to a suspended user who has given the right credentials. */
export const suspendedSentence = (email: string) =>
  `This account is paused, and cannot be used to sign in just now. If you would like to ask why, write to ${email}.`;

export const suspendedCode = "ACCOUNT_SUSPENDED";

export const accountPath = "/account";
export const dataPath = "/account/data";

export const accountPages: readonly { href: string; label: string }[] = [
  { href: accountPath, label: "Overview" },
  { href: "/account/sign-in-methods", label: "Signing in" },
  { href: "/account/security", label: "Security" },
  { href: dataPath, label: "Your data" },
];

export const settingsMessages = {
  noZone: "Please choose a place of the list.",
  nameSaved: { title: "Name saved", tone: "success" },
  zoneSaved: { title: "Time zone saved", tone: "success" },
  passwordSaved: {
    title: "Password changed",
    description: "On your other devices you have been signed out.",
    tone: "success",
  },
  resetSent: {
    title: "Please check your email",
    description: "We sent a link to choose a password. It works for an hour.",
    tone: "success",
  },
} as const;
