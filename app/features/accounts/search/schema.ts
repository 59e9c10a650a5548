/** Somebody with an account, as a search box shows her. */
export type FoundPerson = { id: string; name: string; email: string };
