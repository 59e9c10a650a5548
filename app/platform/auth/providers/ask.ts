/** How long another machine may take for one answer, in milliseconds. */
const patienceMs = 5_000;

/** The provider cannot be reached, is too slow, or says that it is not well. */
export class ProviderAway extends Error {}

/** What the provider answered cannot be believed, or was not an answer. Its message has no personal data. */
export class ProviderUnusable extends Error {}

/**
 * Asks a provider for JSON. It is not followed elsewhere: with what is asked go codes and secrets.
 * @throws {ProviderAway}
 * @throws {ProviderUnusable}
 */
export async function askProvider(url: string, init: RequestInit = {}): Promise<unknown> {
  const signal = AbortSignal.timeout(patienceMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, redirect: "error", signal });
    text = await response.text();
  } catch (error) {
    throw new ProviderAway(`${new URL(url).host} did not answer`, { cause: error });
  }
  if (response.status >= 500 || response.status === 429)
    throw new ProviderAway(`${new URL(url).host} answered ${response.status}`);
  if (!response.ok)
    throw new ProviderUnusable(`${new URL(url).pathname} answered ${response.status}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderUnusable(`${new URL(url).pathname} answered no JSON`);
  }
}
