import { SMTPServer } from "smtp-server";

type Received = { from: string; to: string[]; source: string };

export type MailServer = {
  letters: Received[];
  /** The next letter is answered with this code and text instead. */
  refuseNext(code: number, text: string): void;
  close(): Promise<void>;
};

/** A real mail server on loopback that keeps what it is given. */
export async function startMailServer(port: number): Promise<MailServer> {
  const letters: Received[] = [];
  const refusals: { code: number; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.once("end", () => {
        const refusal = refusals.shift();
        if (refusal)
          return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        const { mailFrom, rcptTo } = session.envelope;
        letters.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString("utf8"),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    // Once it listens, a client that hangs up is no matter here.
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    letters,
    refuseNext: (code, text) => refusals.push({ code, text }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
