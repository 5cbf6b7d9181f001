import { currentToken } from '../device/token.ts'

/**
 * Loads and starts the code of an account when a session exists; visitors do not download it. Never rejects: the next navigation
 * tries again.
 */
export async function loadAccount(): Promise<void> {
  if (currentToken() === null) return
  await import('./start.ts').then(
    ({ startAccount }) => startAccount(),
    () => undefined,
  )
}
