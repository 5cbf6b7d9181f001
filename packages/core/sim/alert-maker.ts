/** Alerts as users set and remove them: mostly near the price, some far away, some impossible. */
import { price, ratio, type RemoveAlert, type SetAlert } from '../src/index.ts'
import { profileOf } from './order-maker.ts'
import { referenceFigures } from './reference/figures.ts'
import type { Scene } from './scene.ts'

export function setAlert(scene: Scene, anyAccount: number): SetAlert {
  const { random, at } = scene
  // One user sets so many that there is no room for more.
  const accountId = random.chance(40) ? 1 : anyAccount
  const condition = chooseCondition(scene, accountId)
  return {
    type: 'setAlert',
    at,
    accountId,
    condition: sameAgain(scene) ?? condition,
    pauseMs: random.chance(3)
      ? random.pick([0, 59_999, 3_000_000_000])
      : random.pick([null, null, null, 60_000, 600_000]),
    expiresAt: expiryFor(at),
  }
}

/** Now and then that of an alert which waits. By the time alone, so that all other commands stay as random as they were. */
function sameAgain({ model: { alerts }, at }: Scene): SetAlert['condition'] | null {
  const waiting = at % 31 === 0 ? alerts[at % alerts.length] : undefined
  return (waiting?.condition as SetAlert['condition'] | undefined) ?? null
}

/** Mostly none; soon, far away, or impossible. By the time alone, for the same reason. */
function expiryFor(at: number): number | null {
  const draw = at % 23
  if (draw < 4) return at + 1 + ((at * 7) % 600_000)
  if (draw === 4) return at + 366 * 86_400_000
  return draw === 5 ? at + ([0, -1, 0.5, 366 * 86_400_000 + 1][at % 4] ?? 0) : null
}

function chooseCondition(scene: Scene, accountId: number): SetAlert['condition'] {
  const { random } = scene
  const draw = random.int(1, 100)
  if (draw <= 25) return { kind: 'marginLevel', level: chooseLevel(scene, accountId) }
  return draw <= 50 ? moveOf(scene) : priceNear(scene)
}

/** Mostly below the margin level of the account, so that the next losses reach it. */
function chooseLevel({ random, model }: Scene, accountId: number): number {
  if (random.chance(3)) return random.pick([0, -5, 100_001])
  const { equity, margin } = referenceFigures(model, accountId)
  if (margin === 0n) return random.int(50, 400)
  const now = Number((equity * 100n) / margin)
  return Math.min(Math.max(now + random.int(-12, 1), 1), 100_000)
}

function moveOf({ random, world }: Scene): SetAlert['condition'] {
  const isPossible = random.chance(96)
  return {
    kind: 'dayMove',
    instrumentId: random.pick(world.instruments).id,
    direction: random.pick(['above', 'below'] as const),
    move: ratio(isPossible ? random.pick([100, 500, 2_000, 10_000, 100_000]) : random.pick([99, 1_000_001])),
  }
}

function priceNear(scene: Scene): SetAlert['condition'] {
  const { random, model, world } = scene
  const instrument = random.chance(30) ? world.favourite : random.pick(world.instruments)
  const { step, reference } = profileOf(scene, instrument)
  const side = random.pick(['bid', 'ask', 'mid'] as const)
  const direction = random.pick(['above', 'below'] as const)
  const now = model.quotes.get(instrument.id)?.[side === 'mid' ? 'bid' : side] ?? reference
  const reach = random.chance(30) ? 500 * step : 4 * step
  const away = random.int(random.chance(10) ? -step : 1, reach) * (direction === 'above' ? 1 : -1)
  const at = random.chance(3) ? random.pick([0, -7, NaN, 2_000_000_000_000]) : now + away
  const instrumentId = random.chance(2) ? 77 : instrument.id
  return { kind: 'price', instrumentId, side, direction, price: price(at) }
}

/** Mostly one of the account's own. */
export function removeAlert({ random, model, at }: Scene, accountId: number): RemoveAlert {
  const own = model.alerts.filter((alert) => alert.accountId === accountId)
  const { id } = random.pick([...own, ...own, ...own, ...model.alerts.slice(0, 1), { id: 999_999 }])
  return { type: 'removeAlert', at, accountId, alertId: id }
}
