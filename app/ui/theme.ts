/** `--paper` of tokens.css, for what reads no stylesheet: the browser's own bars, the manifest. */
export const themeColor = { light: "#fbf8f3", dark: "#12181f" };

/** Applies the chosen theme, of local storage or the cookie, before the first paint. Put it into
 * `<head>`, and its hash into the policy. Storage may be forbidden, hence the try. `<html>` needs
 * suppressHydrationWarning. */
export const themeScript =
  "var t=document.cookie;try{t=localStorage.theme||t}catch{}if(t=/(?:^|theme=)(light|dark)/.exec(t))document.documentElement.dataset.theme=t[1]";
