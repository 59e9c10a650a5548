import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

type Received = { from: string; to: string[]; source: string };

/** Where an email stands between the two programs. */
type Moment = "connect" | "mail" | "rcpt" | "middle of data" | "after data";

/** What happens to one email, or one connection, at a moment. */
type Fault =
  | { at: Moment; answer: number; text?: string }
  /** The connection is cut. At 'after data' the email is stored: its sender cannot know. */
  | { at: Moment; drop: true }
  /** No answer, until the server lets go. */
  | { at: Moment; hang: true }
  /** First this, then on as ever; at 'after data' the email is stored by then. */
  | { at: Moment; meanwhile: () => Promise<void> };

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

const idOf = (source: string) => /^Message-ID:\s*<([^@]+)@/m.exec(source)?.[1] ?? "none";

type Standing = {
  fault: Fault;
  about: ((to: string, id: string) => boolean) | null;
  once: boolean;
};
type Done = (error?: Error | null) => void;

/** A real mail server on loopback that stores what it gets, and misbehaves as a test wants. */
export async function startMailServer(
  port: number,
  { password, keep = true }: { password?: string; keep?: boolean } = {},
) {
  const messages: Received[] = [];
  const known = new Set<string>();
  let received = 0;
  const standing: Standing[] = [];
  const released: (() => void)[] = [];
  const hung: (() => void)[] = [];
  const answered: (() => void)[] = [];
  let isHanging = 0;
  let connections = 0;

  /** The fault for this moment, used up if it is for once. */
  function faultAt(at: Moment, session: SMTPServerSession, id = ""): Fault | null {
    const to = session.envelope?.rcptTo?.[0]?.address ?? "";
    const index = standing.findIndex(
      ({ fault, about }) => fault.at === at && (!about || about(to, id)),
    );
    const found = standing[index];
    if (found?.once) standing.splice(index, 1);
    return found?.fault ?? null;
  }

  function cut(session: SMTPServerSession) {
    for (const connection of server.connections as Set<{ id: string; _socket: Socket }>)
      if (connection.id === session.id) connection._socket.destroy();
  }

  /** Does what is to happen at this moment, then goes on with `done`. */
  function reach(at: Moment, session: SMTPServerSession, done: Done, before = () => {}, id = "") {
    const fault = faultAt(at, session, id);
    if (!fault) {
      before();
      return done();
    }
    if ("answer" in fault) {
      const { answer: responseCode, text = "as the test wants it" } = fault;
      return done(Object.assign(new Error(text), { responseCode }));
    }
    // What is cut or hangs after its last byte has arrived.
    if (at === "after data") before();
    if ("drop" in fault) return cut(session);
    if ("hang" in fault) {
      isHanging += 1;
      for (const resolve of hung.splice(0)) resolve();
      released.push(() => done());
      return;
    }
    void fault.meanwhile().then(() => {
      done();
      // By then the answer is with the system, and no longer with this program.
      setImmediate(() => {
        for (const resolve of answered.splice(0)) resolve();
      });
    });
  }

  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: password === undefined ? ["STARTTLS", "AUTH"] : ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    closeTimeout: 100,
    onConnect(session, done) {
      connections += 1;
      reach("connect", session, done);
    },
    onAuth(auth, _session, done) {
      if (auth.password === password) return done(null, { user: auth.username });
      done(Object.assign(new Error("5.7.8 authentication failed"), { responseCode: 535 }));
    },
    onMailFrom: (_, session, done) => reach("mail", session, done),
    onRcptTo(address, session, done) {
      const asked = { ...session, envelope: { ...session.envelope, rcptTo: [address] } };
      reach("rcpt", asked as SMTPServerSession, done);
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      const middle = faultAt("middle of data", session);
      if (middle && "drop" in middle) return cut(session);
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.once("end", () => {
        const source = Buffer.concat(parts).toString("utf8");
        const keepIt = () => {
          const { mailFrom, rcptTo } = session.envelope;
          received += 1;
          // A copy: a part of a string holds all of it in memory.
          known.add(Buffer.from(idOf(source)).toString());
          if (!keep) return;
          messages.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            source,
          });
        };
        reach("after data", session, done, keepIt, idOf(source));
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    // Once it listens, a client that hangs up is no matter here.
    server.on("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  server.removeAllListeners("error");
  server.on("error", () => {});
  return {
    messages,
    /** Ids of their rows, from the Message-ID of each email, in the order they came. */
    ids: () => messages.map(({ source }) => idOf(source)),
    /** How many emails came, and how many of them had come before; also where they are not kept. */
    received: () => received,
    duplicates: () => received - known.size,
    /** Happens once, to the first that gets there. */
    next: (fault: Fault) => void standing.push({ fault, about: null, once: true }),
    /** Happens to all, or to what `about` picks, until it is lifted: by the receiver and, at 'after
     * data', by the id of the email's row. */
    always(fault: Fault, about: Standing["about"] = null) {
      const one: Standing = { fault, about, once: false };
      standing.push(one);
      return { lift: () => void standing.splice(standing.indexOf(one), 1) };
    },
    /** Waits until a client hangs. */
    hanging: () =>
      isHanging > 0 ? Promise.resolve() : new Promise<void>((resolve) => hung.push(resolve)),
    /** Waits until a client was answered that had to wait (`meanwhile`). */
    answered: () => new Promise<void>((resolve) => answered.push(resolve)),
    /** How many connections there were. */
    connections: () => connections,
    close(): Promise<void> {
      for (const release of released.splice(0)) release();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
