/** `--paper` of tokens.css, for what reads no stylesheet: the browser's own bars, the manifest. */
export const themeColor = { light: "#fbf8f3", dark: "#12181f" };

/** Applies the stored theme before the first paint. The only inline script of the site: put it into
 * `<head>`, and its hash into the policy. Storage may be forbidden, hence the try. `<html>` needs
 * suppressHydrationWarning. */
export const themeScript =
  'try{var t=localStorage.getItem("theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}';
