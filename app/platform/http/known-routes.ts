import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

/** What is known of the page at a path before it is rendered. */
type Known = {
  /** The same for everybody (`handle.shared`). */
  shared: boolean;
  /** Its form may lead on to the payment provider's page (`handle.checkout`). */
  checkout: boolean;
  /** As an Allow header names them: those of `handle.methods`, or what a page with or without a form takes. */
  methods: readonly string[];
};

/** Finds a path's route among those of the build. */
export function knownRoutes({ routes }: ServerBuild): (path: string) => Known {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const treeUnder = (parent: string | undefined): RouteObject[] =>
    all
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index, caseSensitive, module }) => {
        const { handle, action } = module;
        const known = { id, path, caseSensitive, handle, action: action && true };
        return index ? { ...known, index } : { ...known, children: treeUnder(id) };
      });
  const tree = treeUnder(undefined);
  return (path) => {
    const route = matchRoutes(tree, path)?.at(-1)?.route;
    const usual = route?.action ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"];
    return {
      shared: route?.handle?.shared === true,
      checkout: route?.handle?.checkout === true,
      methods: route?.handle?.methods ?? usual,
    };
  };
}
