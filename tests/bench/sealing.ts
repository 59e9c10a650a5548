import { completeLesson } from "~/features/learning/commands.server.ts";
import { saveDraft } from "~/features/learning/drafts/commands.server.ts";
import { getLessonContent } from "~/features/learning/queries.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { findSeal } from "~/platform/sealing/person-key.ts";
import { type Figure, ms } from "./figure.ts";
import { inTurn, median, quantile } from "./measure.ts";
import { enrolledStudent, type World } from "./world.ts";

const barMs = 1;
const rounds = 10;
const perRound = 200;
const drafts = 3;
const answers = ["What do you miss?", "What helps?"].map((question) => ({
  question,
  answer: "I sat with it for a while, and then I wrote this down. ".repeat(40),
}));

/** What a lesson page reads about one lesson with answers and drafts: sealed, and as it was before, in turns. */
export async function sealing(world: World): Promise<Figure[]> {
  const { services } = world;
  const [sealed, readable] = [await writing(world), await writing(world)];
  await unseal(world, readable.userId);
  const taken = { sealed: [] as number[], readable: [] as number[], lookUp: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const measured = {
      sealed: await inTurn(perRound, () => getLessonContent(services, sealed)),
      readable: await inTurn(perRound, () => getLessonContent(services, readable)),
      // Before, nobody looked for a key either.
      lookUp: await inTurn(perRound, () => findSeal(services, readable.userId)),
    };
    if (round === 0) continue; // warming up
    taken.sealed.push(...measured.sealed);
    taken.readable.push(...measured.readable);
    taken.lookUp.push(...measured.lookUp);
  }
  const added = median(taken.sealed) - median(taken.readable) + median(taken.lookUp);
  return [
    {
      what: `sealing, on a lesson's data with two answers and ${drafts} drafts of 4,400 characters: what it adds, median`,
      measured: `${ms(Math.max(added, 0))} (sealed ${ms(median(taken.sealed))}, p99 ${ms(quantile(taken.sealed, 0.99))}; readable ${ms(median(taken.readable))}, p99 ${ms(quantile(taken.readable, 0.99))})`,
      bar: `${barMs} ms`,
      met: added <= barMs,
    },
  ];
}

async function writing(world: World) {
  const { services, course } = world;
  const { id: userId } = await enrolledStudent(services, course, 100);
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  await completeLesson(services, { userId, lessonId, answers, drafts: [] });
  for (let n = 0; n < drafts; n += 1) {
    const other = answers.map((one) => ({ ...one, answer: `${one.answer} ${n}` }));
    const draft = { draftId: newId(), lessonId, revision: 1, answers: other };
    await saveDraft(services, { userId, ...draft });
  }
  return { userId, lessonId };
}

/** The rows as they were before migration 013. */
async function unseal({ services: { db } }: World, userId: string) {
  const said = JSON.stringify(answers);
  await db.write
    .updateTable("progress")
    .set({ journalAnswer: said, answers: said })
    .where("userId", "=", userId)
    .execute();
  await db.write
    .updateTable("lessonDrafts")
    .set({ sealedAnswers: null, answers: said })
    .where("userId", "=", userId)
    .execute();
  await db.write.deleteFrom("journalKeys").where("userId", "=", userId).execute();
}
