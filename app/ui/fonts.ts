import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import fraunces from "@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2?url";

/** Addresses of the two faces, for `<link rel="preload" as="font" type="font/woff2" crossorigin>`. */
export const fontUrls = { fraunces, figtree };
