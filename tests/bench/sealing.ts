import { saveDraft } from "~/features/journal/drafts.server.ts";
import { draftPlace, openAnswers, progressPlace } from "~/features/journal/encryption.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { getLessonContent } from "~/features/player/player.server.ts";
import { findSeal } from "~/platform/crypto/person-key.ts";
import { newId } from "~/platform/db/ids.ts";
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

/** What decrypting adds to reading one lesson with answers and drafts. */
export async function sealing(world: World): Promise<Figure[]> {
  const { services } = world;
  const { userId, lessonId } = await writing(world);
  const { db } = services;
  const entry = await db.read
    .selectFrom("progress")
    .select("journalAnswer")
    .where("userId", "=", userId)
    .executeTakeFirstOrThrow();
  const typed = await db.read
    .selectFrom("drafts")
    .select(["id", "content"])
    .where("userId", "=", userId)
    .execute();
  const decrypt = async () => {
    const seal = await findSeal(services, userId);
    openAnswers(seal, progressPlace(lessonId), entry.journalAnswer);
    for (const { id, content } of typed) openAnswers(seal, draftPlace(lessonId, id), content);
  };
  const taken = { page: [] as number[], decrypt: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const page = await inTurn(perRound, () =>
      getLessonContent(services, { userId, lessonId, edition: { small: false, listen: false } }),
    );
    const alone = await inTurn(perRound, decrypt);
    if (round === 0) continue; // warming up
    taken.page.push(...page);
    taken.decrypt.push(...alone);
  }
  const added = median(taken.decrypt);
  return [
    {
      what: `journal encryption, on a lesson's data with two answers and ${drafts} drafts of 4,400 characters: what it adds, median`,
      measured: `${ms(added)} (of ${ms(median(taken.page))}; p99 ${ms(quantile(taken.decrypt, 0.99))} of ${ms(quantile(taken.page, 0.99))})`,
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
