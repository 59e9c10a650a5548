export const mostFiles = 30;
export const longestFileTitle = 120;

export const fileMessages = {
  wanted: (types: string) => `This file cannot be added. Choose one of these types: ${types}.`,
  misnamed: (extension: string, real: string, ending: string) =>
    `This file is named .${extension}, but what is in it is ${real}. Rename it to .${ending}, then upload it again.`,
  notOfType: (extension: string) =>
    `This file is named .${extension}, but that is not what is in it. Export it again, then upload it again.`,
  damaged: "The end of this file is missing. Download or export it again, then upload it again.",
  tooMany: `A lesson has ${mostFiles} files at most. Remove one first, or put several into one ZIP file.`,
  lead: "Students find them below the lesson, in this order. Changes here are saved at once.",
  none: "No files yet. A worksheet, a book or a picture that goes with this lesson can be added here.",
  placed: (title: string, place: number, of: number) => `“${title}” is now ${place} of ${of}.`,
  noFile: "This lesson has no such file.",
  gone: "This file was removed meanwhile. What is there now is shown here.",
  orderChanged:
    "The files were changed somewhere else meanwhile, and nothing was moved. What is there now is shown here.",
  renamed: (title: string) =>
    `Somebody else has named this file “${title}” meanwhile. Nothing was overwritten. Save again if you still want to change it.`,
  noTitle: "Give the file a title.",
  unreadable: "This form cannot be read. Reload the page, then try again.",
  saved: { title: "Title saved", tone: "success" },
  moved: { title: "Order saved", tone: "success" },
  removed: { title: "File removed", tone: "success" },
} as const;
