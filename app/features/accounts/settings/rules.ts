/** Every place that this machine knows, with the one that is hers now, by its part of the world. */
export function timeZones(current: string | null): { part: string; zones: string[] }[] {
  const known = new Set([...Intl.supportedValuesOf("timeZone"), ...(current ? [current] : [])]);
  const parts = Map.groupBy([...known].sort(), (zone) => zone.split("/")[0] ?? zone);
  const groups = [...parts].map(([part, zones]) => ({ part, zones }));
  // Those without a part of the world, such as UTC, come last.
  return groups.toSorted((a, b) => Number(isAlone(a)) - Number(isAlone(b)));
}

const isAlone = ({ part, zones }: { part: string; zones: string[] }) => zones[0] === part;

/** 'New York, America' is how it is read; the name itself is what is kept. */
export function placeOf(zone: string): string {
  const [part = zone, ...rest] = zone.split("/");
  return (rest.length > 0 ? rest.join(", ") : part).replaceAll("_", " ");
}
