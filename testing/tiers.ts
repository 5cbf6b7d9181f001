/**
 * What `npm test` leaves to `npm run check:all`: the second database where nothing depends on the database, half of the
 * fuzzed calls, most of the largest pictures, sweeps over all screens (`*.sweep.test.tsx`), the faults, every journey
 * but those without which the product would be broken, and the compiler, whose errors oxlint reports too.
 */
export const isWholeCheck = (): boolean => process.env['CHECK_ALL'] === '1'

/** These journeys always run. */
export const FIRST_JOURNEYS: readonly string[] = [
  'account-is-stopped-out',
  'connection-is-lost-and-found',
  'copying',
  'deposits',
  'desk-waiting',
  'identity',
  'logs-in-and-recovers',
  'registers-by-email',
  'same-user-on-two-devices',
  'trader-manages-positions',
  'trader-places-pending-and-cancels',
  'visitor-opens-demo-and-trades',
  'withdrawals',
]
