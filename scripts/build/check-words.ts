import { mistakesInWords } from "./content.ts";

// A process of its own, so that a start that needs no build loads nothing of this.
const mistakes = await mistakesInWords();
for (const mistake of mistakes) process.stderr.write(`${mistake}\n`);
process.exitCode = mistakes.length > 0 ? 1 : 0;
