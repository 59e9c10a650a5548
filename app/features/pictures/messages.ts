/** In pixels. The text column has 680, twice that on most screens; a phone takes the middle one. */
export const pictureWidths = [480, 960, 1600] as const;

/** What messengers and networks show of a shared page, in pixels. */
export const cardSize = { width: 1200, height: 630 };

/** Of a picture in an email, in pixels: twice its column. */
export const emailWidth = 1120;

/** In bytes, as the server's limit (platform/pictures). */
export const maxPictureMegabytes = 20;

export const unusedPictureDays = 30;

/** Uploads of one admin. */
export const uploadsAnHour = 200;

export const longestAlt = 300;

/** What a file chooser offers. Without HEIC, Safari converts photographs by itself. */
export const pictureTypes = "image/jpeg,image/png,image/webp,image/avif,image/gif";

export const pictureMessages = {
  noFile: "Choose a picture first.",
  tooMany: "That were very many pictures within an hour. Please go on in a while.",
  noRoom: "There is no room left for pictures on this machine. Nothing was changed.",
  atOnce: (most: number) =>
    `${most} pictures come at a time. Choose this one and those after it again.`,
  noPicture: "This is not a picture. Use a JPEG, PNG, WebP, AVIF or GIF.",
  gone: "This picture is not here any more.",
  noCourse: "This course is not here any more.",
  unclear: "It is not clear what this picture is for. Go back and choose it once more.",
  signedOut: "You are not signed in.",
  locked: "This picture belongs to a lesson that is not open yet.",
  notEnrolled: "This picture belongs to a course that you are not enrolled in.",
} as const;

const saved = (title: string, description: string) => ({
  title,
  description,
  tone: "success" as const,
});

export const pictureToasts = {
  cover: {
    set: saved("Cover picture saved", "It is on the pages of the course now."),
    removed: saved("Cover picture removed", "The pages of the course are as before."),
    described: saved("Description saved", "It is read out in place of the cover."),
  },
  portrait: {
    set: saved("Portrait saved", "It is on the first page and on the about page now."),
    removed: saved("Portrait removed", "The drawing is back in its place."),
  },
  poster: {
    set: saved("Poster saved", "It is shown before the video plays."),
    removed: saved("Poster removed", "The video begins with its own first picture."),
  },
} as const;
