import { registerHooks } from "node:module";

// The native TypeScript has no programming interface, and dependency-cruiser needs one
// to read imports: it alone gets the last TypeScript that is written in JavaScript.
registerHooks({
  resolve(specifier, context, next) {
    const asked = /^typescript(\/.*)?$/.exec(specifier);
    const cruiser = context.parentURL?.includes("/dependency-cruiser/");
    return next(asked && cruiser ? `typescript-classic${asked[1] ?? ""}` : specifier, context);
  },
});
