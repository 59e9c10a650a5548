/** Where somebody looks after her second factors and passkeys, and the pages that belong to it. */
export const securityPath = "/account/security";
export const addAppPath = "/account/security/app";
export const codesPath = "/account/security/codes";
export const renamePath = "/account/security/rename";
export const removePath = "/account/security/remove";
/** Where whoever has given her password gives her second factor. */
export const secondStepPath = "/auth/second-step";
/** Where an administrator without a second factor is asked for one. */
export const protectPath = "/auth/protect";

/** How many of each somebody may have. */
export const most = { apps: 10, passkeys: 10 } as const;
/** How many recovery codes there are, and from how many on she is told that they run out. */
export const codeCount = 10;
export const fewCodes = 3;

export const messages = {
  name: "Give it a name, so that you recognise it later.",
  nameTooLong: "Please use 60 characters at most.",
  code: "Enter the six digits that your app shows, or a recovery code.",
  sixDigits: "Enter the six digits that your app shows.",
  wrongCode: "That code does not fit. Codes change every half minute: try the one shown now.",
  wrongRecoveryCode: "That recovery code does not fit, or it has been used before.",
  usedCode: "That code has been used already. Your app shows a new one within half a minute.",
  tooManyCodes:
    "Many codes have been tried for this account. Use a recovery code or a passkey, or come back in an hour.",
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
  tooManyApps: `There are ${most.apps} apps already. Remove one that you no longer use.`,
  tooManyPasskeys: `There are ${most.passkeys} passkeys already. Remove one that you no longer use.`,
  lastWayIn: "It is your only way in. Set a password first, or add another passkey.",
  gone: "It is not there any more.",
  appAdded: { title: "Your app is added.", tone: "success" },
  renamed: { title: "The name is changed.", tone: "success" },
  removed: { title: "It is removed.", tone: "success" },
  passkeyAdded: { title: "Your passkey is added.", tone: "success" },
  fewCodesLeft: (left: number) =>
    `${left === 0 ? "That was your last recovery code" : left === 1 ? "One recovery code is left" : `${left} recovery codes are left`}: please make new ones in your account, under Security.`,
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

/** What the two kinds are called, and what goes with each when it is removed. */
export const kinds = {
  app: {
    noun: "authenticator app",
    gone: "Its codes will not be taken at sign-in any more.",
    goneLast:
      "It is the only one: signing in will ask for your password alone, and your recovery codes go as well.",
  },
  passkey: {
    noun: "passkey",
    gone: "You will not be able to sign in with it any more. Your device may go on offering it: you can delete it there as well.",
    goneLast:
      "You will not be able to sign in with it any more. Your device may go on offering it: you can delete it there as well.",
  },
} as const;

/** What the letter about a change calls it, for its subject and its first sentence. */
export const changes = {
  "app-added": "An authenticator app was added",
  "app-removed": "An authenticator app was removed",
  "passkey-added": "A passkey was added",
  "passkey-removed": "A passkey was removed",
  "codes-made": "New recovery codes were made",
  "code-used": "A recovery code was used",
  reset: "Your second factors were taken away",
  "wrong-codes": "Wrong codes were tried for your account",
  "wrong-passwords": "Many wrong passwords were tried for your account",
  "new-device": "A new device was used to sign in",
  "provider-refused": "A sign-in through another service was refused",
} as const;

export type Change = keyof typeof changes;
