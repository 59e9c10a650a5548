import { Check, Lock } from "lucide-react";
import { Dot } from "~/ui/brand.tsx";
import { Button } from "~/ui/button.tsx";
import { Drawer, DrawerButton } from "~/ui/drawer.tsx";
import { Progress } from "~/ui/progress.tsx";
import { Specimen } from "./specimen.tsx";

const lessons = [
  { name: "Put your weight down", mark: <Check aria-hidden="true" className="size-4 text-sage" /> },
  { name: "Something warm, sitting down", mark: <Dot />, here: true },
  { name: "The hour when you wake", mark: <Lock aria-hidden="true" className="size-4" /> },
];

/** The lesson layout: drawer, prose, navigation. */
export function Reading() {
  return (
    <Specimen title="Reading" wide>
      <div className="lg:flex lg:gap-14">
        <Drawer id="outline" label="Outline">
          <p className="font-serif text-lg">Seven days of calm</p>
          <Progress value={33} label="33% Complete" className="my-5" />
          <ul className="text-sm">
            {lessons.map(({ name, mark, here }) => (
              <li key={name}>
                <a
                  href="#reading"
                  aria-current={here ? "page" : undefined}
                  className={`grid min-h-11 grid-cols-[1.5rem_1fr] items-center ${here ? "text-ink" : "text-ink-soft"}`}
                >
                  {mark}
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </Drawer>
        <div className="min-w-0 max-w-text">
          <DrawerButton drawer="outline" className="mb-8">
            Outline
          </DrawerButton>
          <Prose />
          <div className="mt-12 flex flex-wrap justify-between gap-4">
            <Button variant="ghost">Previous</Button>
            <Button>Mark as Complete</Button>
          </div>
        </div>
      </div>
    </Specimen>
  );
}

function Prose() {
  return (
    <div className="prose">
      <h1>Something warm, sitting down</h1>
      <p>
        Grief is tiring in the way that carrying is tiring. You may not notice how long you have
        stood until somebody pulls out a chair. Today’s practice is <strong>the chair</strong>, and{" "}
        <em>nothing else</em>. There is <a href="#reading">a short recording</a> if reading is too
        much.
      </p>
      <h2>What you will need</h2>
      <ul>
        <li>Ten minutes.</li>
        <li>
          Something warm in a cup. It does not matter what, and it does not matter whether you drink
          it, so long as you can feel it through your hands.
        </li>
        <li>A chair with a back.</li>
      </ul>
      <blockquote>
        <p>You are not behind. There is nothing to be behind of.</p>
      </blockquote>
      <h3>The practice</h3>
      <ol>
        <li>Sit. Let the chair have your weight.</li>
        <li>Hold the cup until you can tell which of your hands is the colder one.</li>
        <li>Say, out loud or not, one true thing about today.</li>
      </ol>
      <hr />
      <p>
        If you cry, you have done it right. If you don’t, you have done it right as well. Press{" "}
        <kbd>Space</kbd> to stop the recording.
      </p>
      <ul className="contains-task-list">
        <li className="task-list-item">
          <input type="checkbox" disabled defaultChecked aria-label="Done" /> I sat down today.
        </li>
        <li className="task-list-item">
          <input type="checkbox" disabled aria-label="Open" /> I told one person where I would be
          for the next ten minutes, so that nobody would need me.
        </li>
      </ul>
      <table>
        <thead>
          <tr>
            <th>When</th>
            <th>What</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Morning</td>
            <td>The cup</td>
          </tr>
          <tr>
            <td>Night</td>
            <td>The chair, without the cup, and a lamp that is not the ceiling light</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
