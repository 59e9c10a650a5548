/** For vi.waitFor: two busy cores need longer than its second. */
export const patient = { timeout: 25_000, interval: 20 };
