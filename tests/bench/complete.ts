import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { type Figure, ms, times } from "./figure.ts";
import { inTurn, median } from "./measure.ts";
import type { BenchServer } from "./server.ts";
import { enrolledStudent, type Student, type World } from "./world.ts";

const rounds = 8;
const perRound = 50;
const bar = 1.5;
const answer = "I sat with it for a while, and then I wrote this down. ".repeat(4);

/** Completing a lesson against the least that a durable write can cost on this disk, in turns. */
export async function completing(world: World, server: BenchServer): Promise<Figure[]> {
  const bare = openBare(world.dataDir);
  const taken = { bare: [] as number[], command: [] as number[], http: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const [one, other] = [await allOpen(world), await allOpen(world)];
    const measured = {
      bare: await inTurn(perRound, () => bare.insert(newId(), answer)),
      command: await inTurn(perRound, (n) => byCommand(world, one, n)),
      http: await inTurn(perRound, (n) => overHttp(world, server, other, n)),
    };
    if (round === 0) continue; // warming up
    taken.bare.push(...measured.bare);
    taken.command.push(...measured.command);
    taken.http.push(...measured.http);
  }
  bare.close();
  const floor = median(taken.bare);
  const line = (what: string, list: number[], goal: number | null): Figure => ({
    what,
    measured: `${ms(median(list))} = ${times(median(list) / floor)}`,
    bar: goal ? `${goal} x` : "no bar of its own",
    met: goal ? median(list) / floor <= goal : null,
  });
  return [
    line("a bare fsynced insert in the same folder", taken.bare, null),
    line("completing a lesson: the command, against it", taken.command, bar),
    line("completing a lesson: over HTTP, form to redirect, against it", taken.http, null),
  ];
}

/** One row in one transaction that is on disk when it returns. */
function openBare(folder: string) {
  const database = new DatabaseSync(path.join(folder, "bare.db"));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table written (id text primary key, text text not null)");
  const statement = database.prepare("insert into written values (?, ?)");
  return {
    insert: (id: string, text: string) => statement.run(id, text),
    close: () => database.close(),
  };
}

const allOpen = ({ services, course }: World) => enrolledStudent(services, course, 100);

function lessonOf({ course }: World, index: number): string {
  const lesson = course.modules.flatMap(({ lessons }) => lessons)[index];
  if (!lesson) throw new Error("the course is too short");
  return lesson.id;
}

function byCommand(world: World, student: Student, index: number) {
  const answers = [1, 2, 3].map((n) => ({ question: `What is true today? (${n})`, answer }));
  const lessonId = lessonOf(world, index);
  return completeLesson(world.services, { userId: student.id, lessonId, answers, drafts: [] });
}

async function overHttp(world: World, { url }: BenchServer, student: Student, index: number) {
  const form = new URLSearchParams({ lessonId: lessonOf(world, index), draftId: "" });
  for (const n of [1, 2, 3]) {
    form.append("question", `What is true today? (${n})`);
    form.append("answer", answer);
  }
  const response = await fetch(`${url}/courses/bench/learn`, {
    method: "POST",
    headers: { cookie: student.cookie, origin: url },
    body: form,
    redirect: "manual",
  });
  if (response.status !== 303) throw new Error(`completing was answered with ${response.status}`);
  await response.arrayBuffer();
}
