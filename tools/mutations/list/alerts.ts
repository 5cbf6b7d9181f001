import { mutationsOf, type Mutation } from '../mutation.ts'

const CORE = ['packages/core/src/alerts', 'packages/core/src/state/alert-book.test.ts', 'packages/core/sim']
const SERVER = ['apps/server/src/trading/alerts.wire.test.ts', 'apps/server/src/verify/forged-alerts.test.ts']

const caughtBy = (
  tests: readonly string[],
  name: string,
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] => mutationsOf(name, ...mutations).map((mutation) => ({ ...mutation, tests }))

/** Mutations that fire an alert at the wrong price, twice or not at all, or that let `verify` miss it. */
export const ALERT_MUTATIONS: readonly Mutation[] = [
  ...caughtBy(
    CORE,
    'packages/core/src/alerts/alert-level.ts',
    ["side === 'mid' ? 2 * price : price", 'price', 'An alert on the mid waits for half its price.'],
    [
      '? -Number(floorDivide(-(mid * RATIO_SCALE + shift), RATIO_SCALE))',
      '? Number(floorDivide(mid * RATIO_SCALE + shift, RATIO_SCALE))',
      'A move of the day fires before it is complete.',
    ],
    [
      'const shift = absolute(mid) * move',
      'const shift = mid * move',
      'A move from a price below zero is measured backwards.',
    ],
    ["at.side === 'mid' ? 2 : 1", '1', 'Half a tick rearms an alert on the mid.'],
    [' || instrument.priceDecimals !== decimals', '', 'A change of decimals fires alerts.'],
  ),
  ...caughtBy(
    CORE,
    'packages/core/src/alerts/fire-alerts.ts',
    [
      'if (known.prices.has(instrumentId)) continue\n',
      '',
      'A move of the day is measured from the last full hour.',
    ],
    ['wakesAt: pauseMs === null ? null : at + pauseMs', 'wakesAt: null', 'An alert with a pause fires once.'],
    [
      'isSwitchedOff(state, alert.condition) ? 0 : alert.expiresAt',
      'alert.expiresAt',
      'Alerts stay although their instrument is switched off.',
    ],
    [
      '...(mustCrossBack && { awaitsReturn: true }),',
      '',
      'An alert fires again although the price never left its level.',
    ],
    [
      'if (!isPriced(state, account)) return',
      '',
      'A margin alert fires on a margin level that is not known.',
    ],
  ),
  ...caughtBy(
    CORE,
    'packages/core/src/alerts/decide-alert.ts',
    ['isWithin(expiresAt, at + 1, at + MAX_ALERT_TERM_MS)', 'true', 'An alert can expire in the past.'],
    ['if (met) return met', '', 'An alert that is reached already can be set.'],
    [
      "if (alertsMustDiffer(state) && hasAlertFor(state, account, condition)) return reject('alertExists')",
      '',
      'An account can have the same alert twice.',
    ],
    ['?? 0) >= MAX_ALERTS', '?? 0) > MAX_ALERTS', 'An account can have one alert more than allowed.'],
  ),
  ...caughtBy(
    CORE,
    'packages/core/src/engine/decide-tick.ts',
    [
      'if (isFresh && isInHours) yield*',
      'if (isInHours) yield*',
      'A price that is no longer fresh fires alerts.',
    ],
    ['if (isFresh && isInHours) yield*', 'if (isFresh) yield*', 'Alerts fire outside trading hours.'],
    [' &&\n  !alerts.isReachedBy(quote)', '', 'A tick that only fires alerts counts as quiet.'],
    ['  yield* endAlerts(core, at)\n', '', 'A tick fires an alert past its expiry.'],
  ),
  ...caughtBy(SERVER, 'apps/server/src/engine/projection/notice-facts.ts', [
    "  alertFired: 'alerts',",
    "  alertFired: 'orders',",
    'Fired alerts are not mailed.',
  ]),
  ...caughtBy(
    SERVER,
    'apps/server/src/verify/alert-figures.ts',
    ["['pause', Math.max(at, alert.wakesAt), at],", '', 'Verify accepts an alert that fires in its pause.'],
    [
      "isPriceMet(state, condition, tick) ? 'reached' : 'not reached'",
      "'reached'",
      'Verify accepts an alert that fires at any price.',
    ],
  ),
]
