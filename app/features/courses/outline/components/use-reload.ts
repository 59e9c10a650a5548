import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";

const retryMs = 10_000;

/**
 * Loads what the page shows anew as soon as the site would answer with it again: after a change
 * whose answer got lost, only the site knows what is stored. Loading without asking first could
 * put an error, or the page where one signs in, in the page's place.
 * @returns asks for it
 */
export function useReload(onReloaded: () => void): () => void {
  const [isAsked, setAsked] = useState(false);
  const { revalidate } = useRevalidator();
  const told = useRef(onReloaded);
  useEffect(() => {
    if (!isAsked) return;
    let isThere = true;
    async function load() {
      if (!navigator.onLine || !(await mayHaveThisPage())) return;
      if (isThere) await revalidate();
      if (!isThere) return;
      told.current();
      setAsked(false);
    }
    void load();
    const timer = setInterval(load, retryMs);
    addEventListener("online", load);
    return () => {
      isThere = false;
      clearInterval(timer);
      removeEventListener("online", load);
    };
  }, [isAsked, revalidate]);
  return () => setAsked(true);
}

/** Whoever is signed out would be led away from what she typed. */
const mayHaveThisPage = () =>
  fetch(location.pathname, { redirect: "manual" }).then(
    ({ ok }) => ok,
    () => false,
  );
