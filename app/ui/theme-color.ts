/** `--paper` of tokens.css, for what reads no stylesheet: the browser's own bars, the manifest. */
export const themeColor = { light: "#fbf8f3", dark: "#12181f" };
