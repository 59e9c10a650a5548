/** Where somebody sees on which devices she is signed in. */
export const devicesPath = "/account/devices";

export const deviceWords = {
  ended: { title: "That device is signed out.", tone: "success" },
  othersEnded: { title: "You are signed in on this device only.", tone: "success" },
} as const;
