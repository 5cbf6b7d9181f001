import { currentToken } from '../auth/token.ts'

/**
 * Loads and starts what hears of an account, for whoever is logged in already; a visitor's page does without it until they enter.
 * Never rejects: what did not arrive is asked for again by the next navigation.
 */
export async function loadAccount(): Promise<void> {
  if (currentToken() === null) return
  await import('./start.ts').then(
    ({ startAccount }) => startAccount(),
    () => undefined,
  )
}
