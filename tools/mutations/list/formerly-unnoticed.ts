import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

/** Mutations of a file, with the paths of the test files that must catch them. */
const testedBy = (file: string, tests: readonly string[], ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(file, ...mutations).map((mutation) => ({ ...mutation, tests }))

const CORE = 'packages/core/src/'
const SERVER = 'apps/server/src/'
const WEB = 'apps/web/src/live/'

/** Mutations that no test caught at first. */
export const FORMERLY_UNNOTICED_MUTATIONS: readonly Mutation[] = [
  ...testedBy(
    `${CORE}orders/order-rules.ts`,
    [`${CORE}orders/lot-sizes.test.ts`],
    [
      'checkLots({ ...rules, lotMin: range.min, lotMax: held }, part)',
      'checkLots({ ...rules, lotMin: rules.lotStep, lotMax: held }, part)',
      'A part may be smaller than the smallest order.',
    ],
    ['if (size > lotMax)', 'if (size >= lotMax)', 'An order of exactly the maximum size is rejected.'],
  ),
  ...testedBy(
    `${CORE}terms/change-terms.ts`,
    [`${CORE}terms/evolve-terms.test.ts`],
    [
      "['priceDecimals', 'baseCurrency', 'quoteCurrency']",
      "['priceDecimals', 'baseCurrency']",
      'A price in another currency continues to fill orders.',
    ],
  ),
  ...testedBy(
    `${CORE}money/price-snapshots.ts`,
    [`${CORE}money/overnight-swap.test.ts`],
    [
      'at >= lastPriceSnapshot + HOUR_MS',
      'at > lastPriceSnapshot + HOUR_MS',
      'A tick at exactly 17:00:00.000 is used for that rollover.',
    ],
  ),
  ...testedBy(
    'packages/core/sim/report.ts',
    ['packages/core/sim/report.test.ts'],
    [
      'demandsEveryState && missing.length > 0 ? 1 : 0',
      'missing.length > 0 ? 1 : 0',
      'A simulation without differences fails.',
    ],
  ),
  ...testedBy(
    `${SERVER}platform/database/audit-hash.ts`,
    [`${SERVER}platform/database/audit-hash.test.ts`],
    [
      "'case_key', 'outcome', 'journal_at'",
      "'case_key', 'journal_at'",
      'The outcome of an audit entry can be changed undetected.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/desk-socket.ts`,
    [`${SERVER}desk/desk-socket.wire.test.ts`],
    [
      '    if (pendingHash !== tokenHash) return socket.close()\n',
      '',
      'A desk page whose session ended while it connected receives everything.',
    ],
  ),
  ...testedBy(
    `${SERVER}platform/sockets/socket-routes.ts`,
    [`${SERVER}platform/sockets/login-race.wire.test.ts`],
    [
      'user !== null && client.tokenHash === tokenHash',
      'user !== null',
      'A socket logs in with a session that ended meanwhile.',
    ],
  ),
  ...testedBy(
    `${SERVER}engine/projection/segment-writer.ts`,
    [`${SERVER}engine/projection/projector.test.ts`],
    [
      "if (seq === to) return 'written'",
      "if (seq === to) return 'failed'",
      'A write whose answer was lost is repeated for ever.',
    ],
    [
      'await broken.close().catch(onError)',
      'await broken.close()',
      'The tables stop when a broken connection cannot be closed.',
    ],
  ),
  ...testedBy(
    `${SERVER}notices/margin-warnings.ts`,
    [`${SERVER}notices/notice-edges.wire.test.ts`],
    [
      'RECOVERED = 110',
      'RECOVERED = 100',
      'A margin level that fluctuates around the warning level warns repeatedly.',
    ],
  ),
  ...testedBy(
    `${SERVER}notices/routes.ts`,
    [`${SERVER}notices/notice-edges.wire.test.ts`],
    [
      "    .where('at', '<=', BigInt(upTo))\n",
      '',
      'Notices that arrived after the list was shown are marked as read.',
    ],
  ),
  ...testedBy(
    `${SERVER}platform/concurrency.ts`,
    [`${SERVER}platform/concurrency.test.ts`],
    [
      'used + next.units > unitsMax',
      'used + next.units >= unitsMax',
      'A caller that needs exactly the remaining capacity waits.',
    ],
  ),
  ...testedBy(
    `${SERVER}verify/table-rows.ts`,
    [`${SERVER}verify/invented-rows.test.ts`],
    [
      "      yield* compareEnd(casePager, 'case')\n",
      '',
      'An invented money case in the tables is not detected.',
    ],
  ),
  ...testedBy(
    `${SERVER}platform/security/second-factor.ts`,
    [`${SERVER}desk/operators/code-used-once.test.ts`],
    [
      "    .where('last_step', '=', row?.last_step ?? 0n)\n",
      '',
      'Two simultaneous log-ins of a user succeed with one code.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/operators/operator-factor.ts`,
    [`${SERVER}desk/operators/code-used-once.test.ts`],
    [
      "    .where('totp_last_step', '=', row.totp_last_step)\n",
      '',
      'Two simultaneous log-ins of an operator succeed with one code.',
    ],
  ),
  ...testedBy(
    `${SERVER}desk/operators/desk-sessions.ts`,
    [`${SERVER}desk/operators/insiders.wire.test.ts`],
    ['.filter((hash) => hash !== but)', '', 'Setting a new password ends the session that sets it.'],
  ),
  ...testedBy(
    `${SERVER}risk/reports/losing-share.ts`,
    [`${SERVER}risk/reports/losing-share.test.ts`],
    ['if (result < 0n)', 'if (result <= 0n)', 'An account without profit or loss counts as losing.'],
  ),
  ...testedBy(
    `${SERVER}risk/scenario.ts`,
    [`${SERVER}risk/scenario.test.ts`],
    [
      ' &&\n    !isAtLevel(warningLevel, before.equity, before.margin)\n',
      '\n',
      'Margin calls of a price move include earlier ones.',
    ],
  ),
  ...testedBy(
    `${SERVER}platform/files/intake.ts`,
    [`${SERVER}platform/files/upload-size.wire.test.ts`],
    [
      'Math.min(bytes ?? UPLOAD.bytesMax, UPLOAD.bytesMax)',
      'Math.min(bytes ?? UPLOAD.bytesMax, UPLOAD.bytesMax - 1)',
      'A picture of exactly the maximum size is rejected.',
    ],
  ),
  ...testedBy(
    `${WEB}market/quotes.ts`,
    [`${WEB}market/quotes.test.ts`],
    [
      'const ageMs = Math.abs(now - quote.receivedAt)',
      'const ageMs = Math.abs(now - (quote as LiveQuote).time)',
      'The age of a price mixes two clocks.',
    ],
  ),
  ...testedBy(
    `${WEB}account/closed-orders.ts`,
    [`${WEB}account/closed-orders.test.ts`],
    [
      'endedAt >= since',
      'endedAt > since',
      'A reconnected user misses an order closed at the moment of the last price.',
    ],
  ),
  ...testedBy(
    `${WEB}connection/hub.ts`,
    [`${WEB}connection/hub.test.ts`],
    ['if (isAgain) onReconnected()', 'onReconnected()', 'The first connection fetches everything twice.'],
  ),
  ...testedBy(
    'packages/contract/src/desk/permissions.ts',
    ['packages/contract/src/desk/permissions.test.ts'],
    [
      "exportPeople: ['compliance', 'administrator']",
      "exportPeople: ['compliance', 'finance', 'administrator']",
      'Finance exports the list of all users.',
    ],
    [
      "exportActs: ['compliance', 'administrator']",
      "exportActs: ['compliance', 'dealing', 'administrator']",
      'Dealing exports the audit log.',
    ],
  ),
]
