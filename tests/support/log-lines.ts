/** Lines of the log from now on, whichever copy of the library the built site has. */
export function collectLog(log: object): string[] {
  const lines: string[] = [];
  const symbols = Object.getOwnPropertySymbols(log);
  const stream = symbols.find(({ description }) => description === "pino.stream");
  if (!stream) throw new Error("the log has no stream");
  Object.assign(log, { [stream]: { write: (line: string) => lines.push(line) } });
  return lines;
}
