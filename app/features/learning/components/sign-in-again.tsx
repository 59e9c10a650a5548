/** In a new tab, so that the words in this one stay where they are. */
export function SignInAgain() {
  return (
    <p className="mt-2">
      <a href="/auth" target="_blank" rel="noreferrer">
        Sign in again in a new tab
      </a>
    </p>
  );
}
