import { Menu } from "lucide";
import { type ReactNode, useEffect, useRef } from "react";
import {
  useActionData,
  useLocation,
  useNavigate,
  useNavigation,
  useSearchParams,
} from "react-router";
import { HelpNow } from "~/features/help/components/help-now.tsx";
import type { NearHelp } from "~/features/help/help.server.ts";
import { LoadingMark, Wordmark } from "~/ui/brand.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Drawer, DrawerButton } from "~/ui/drawer.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Progress } from "~/ui/progress.tsx";
import { ThemeToggle } from "~/ui/shell/theme-toggle.tsx";
import { pageTitle } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import { afterLessonId, afterLessonTitle, playerMessages } from "../messages.ts";
import type { Player } from "../player.server.ts";
import { LessonList } from "./lesson-list.tsx";

const drawerId = "lessons";

type Props = {
  player: Player;
  help: NearHelp | null;
  banner?: ReactNode;
  children: ReactNode;
};

/** The player's layout: a slim bar, the outline on the left (a drawer on phones), the lesson. */
export function PlayerFrame({ player, help, banner, children }: Props) {
  const site = useSite();
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on every navigation
  useEffect(() => {
    document.getElementById(drawerId)?.hidePopover?.();
  }, [key]);
  useFocusOnLesson(player);
  useLessonInAddress(player);
  const loading = useNavigation().state === "loading";
  return (
    <>
      {banner}
      <header className="site-header player-bar">
        <div className="page max-w-none flex min-h-14 items-center gap-3 lg:min-h-16">
          <DrawerButton drawer={drawerId} variant="ghost" size="sm">
            <Icon of={Menu} /> Lessons
          </DrawerButton>
          <a href="/" className="site-header-home max-lg:hidden">
            <Wordmark name={site.name} />
          </a>
          <nav aria-label="Main" className="ms-auto flex items-center gap-2">
            {loading && <LoadingMark />}
            <a href="/my-courses" className="nav-link whitespace-nowrap">
              My Courses
            </a>
            <ThemeToggle />
          </nav>
        </div>
      </header>
      <div className="page max-w-none lg:flex lg:gap-10 xl:gap-16">
        <Drawer id={drawerId} label="Lessons">
          <p className="font-serif text-xl">{player.course.title}</p>
          <div className="mt-4 mb-6">
            <Progress value={player.percent} label={`${player.percent}% Complete`} />
          </div>
          <LessonList modules={player.modules} current={player.lesson?.key} />
          <HelpNow help={help} className="mt-8 pt-3" />
        </Drawer>
        {/* The padding at the end keeps the buttons clear of a toast. */}
        <main id="main" tabIndex={-1} className="min-w-0 grow pt-8 pb-36 lg:pt-14">
          <div className="mx-auto w-full max-w-text">
            {children}
            <HelpNow help={help} className="mt-16 pt-4" />
          </div>
        </main>
      </div>
    </>
  );
}

// After a lesson change or a completion, screen reader users start at the heading: that of the
// lesson, or of what follows where the address leads there; or at what became a draft.
function useFocusOnLesson({ lesson }: Player) {
  const { hash } = useLocation();
  const isCompleted = lesson?.state === "open" && lesson.isCompleted;
  const shown = lesson && `${lesson.id} ${isCompleted}`;
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    const asked = hash === `#${afterLessonId}` ? afterLessonTitle : hash.slice(1);
    const target = document.getElementById(asked) ?? document.getElementById("lesson-title");
    target?.focus({ preventScroll: true });
  }, [shown, hash]);
}

// Back returns to the lesson that was shown, also when another one is the first to open by then.
// Not after a refused form: its reason would go with the navigation.
function useLessonInAddress({ lesson }: Player) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { hash } = useLocation();
  const isAnswer = useActionData() !== undefined;
  const missing = lesson && !isAnswer && !search.has("lesson") ? lesson.key : null;
  useEffect(() => {
    if (missing === null) return;
    void navigate(`?${new URLSearchParams([...search, ["lesson", missing]])}${hash}`, {
      replace: true,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    });
  }, [missing, search, hash, navigate]);
}

/** Shown when the player fails to load (spec 8). */
export function PlayerLoadFailed() {
  const site = useSite();
  const { pathname, search } = useLocation();
  return (
    <main id="main" tabIndex={-1}>
      <Page width="text">
        <Section>
          <title>{pageTitle(site, playerMessages.loadFailed.title)}</title>
          <meta name="robots" content="noindex" />
          <h1 className="mb-8 text-3xl">{playerMessages.loadFailed.title}</h1>
          <Notice tone="destructive" live>
            <p>
              The site could not be reached, or something broke here. Nothing that you wrote is
              lost.
            </p>
            <p className="mt-4 flex flex-wrap gap-3">
              <ButtonLink href={pathname + search} size="sm">
                Try again
              </ButtonLink>
              <ButtonLink href="/my-courses" size="sm" variant="outline">
                My Courses
              </ButtonLink>
            </p>
          </Notice>
        </Section>
      </Page>
    </main>
  );
}
