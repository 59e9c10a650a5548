import { expect, test } from "vitest";
import type { CachedPage } from "./cached-page.ts";
import { PageStore } from "./store.ts";

const page = (bytes: number) => ({ bytes }) as CachedPage;
const kept = (store: PageStore, ...paths: string[]) => paths.filter((path) => store.get(path));

test("so many pages are kept at most; the oldest makes room", () => {
  const store = new PageStore({ pages: 2, bytes: 100, age: 1000 });
  for (const path of ["/a", "/b", "/a", "/c"]) store.put(path, page(1), 0);
  expect(kept(store, "/a", "/b", "/c")).toEqual(["/a", "/c"]);
});

test("so many bytes are kept at most, and nothing that is larger by itself", () => {
  const store = new PageStore({ pages: 10, bytes: 100, age: 1000 });
  store.put("/a", page(40), 0);
  store.put("/b", page(40), 0);
  store.put("/c", page(60), 0);
  expect(kept(store, "/a", "/b", "/c")).toEqual(["/b", "/c"]);
  store.put("/d", page(101), 0);
  expect(kept(store, "/b", "/c", "/d")).toEqual(["/b", "/c"]);
  store.put("/c", page(101), 0);
  expect(kept(store, "/b", "/c")).toEqual(["/b"]);
  store.clear();
  store.put("/e", page(100), 0);
  expect(kept(store, "/b", "/e")).toEqual(["/e"]);
});

test("what is old goes", () => {
  const store = new PageStore({ pages: 10, bytes: 100, age: 1000 });
  store.put("/a", page(1), 0);
  store.put("/b", page(1), 500);
  store.expire(999);
  expect(kept(store, "/a", "/b")).toEqual(["/a", "/b"]);
  store.expire(1000);
  expect(kept(store, "/a", "/b")).toEqual(["/b"]);
});
