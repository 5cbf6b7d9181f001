/**
 * Changes of terms as operators and deployments request them: mostly valid, some forbidden, some with too little
 * notice.
 */
import {
  DEPLOYMENT,
  lots,
  money,
  price,
  ratio,
  type AdoptTerms,
  type Instrument,
  type SessionText,
  type SetTerms,
  type TermsChange,
  type TradingSettings,
  type WithdrawTerms,
} from '../src/index.ts'
import { TRADABLE, yearlyRate } from './instruments.ts'
import { actingOperator } from './acting-operator.ts'
import type { PlainInstrument, PlainTermsChange } from './plain-types.ts'
import type { Scene } from './scene.ts'
import { referenceMarket } from './reference/market.ts'
import { STARTING_BALANCES, SESSIONS } from './world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export function setTerms(scene: Scene): SetTerms {
  const { random, at } = scene
  const [announced] = random.chance(25) ? scene.model.announced.slice(-1) : []
  if (announced) return withdrawsAnnounced(scene, announced.change)
  const change = random.pick([
    someSettings,
    someInstrument,
    someInstrument,
    someInstrument,
    someCalendar,
    someSource,
  ])(scene)
  const by = random.chance(12) ? DEPLOYMENT : actingOperator(random, scene.model)
  const isOther = change.kind === 'instrument' && isOtherContract(scene, change.instrument)
  // Soon, so that an order may still be opened on what it would change.
  const isRollover = scene.model.rollovers.length > 0 && random.chance(60)
  const soon = isRollover ? null : someMoment(scene)
  const effectiveAt = isOther && random.chance(85) ? at + random.int(1_000, 20_000) : soon
  return { type: 'setTerms', at, change, effectiveAt, by }
}

/** A change that withdraws an announced one and keeps what is in force, mostly at once. */
function withdrawsAnnounced({ random, at, model }: Scene, announced: PlainTermsChange): SetTerms {
  const by = random.chance(25) ? DEPLOYMENT : actingOperator(random, model)
  const effectiveAt = random.pick([null, null, at + random.int(0, 6_000)])
  return { type: 'setTerms', at, change: inForceInsteadOf(model, announced), effectiveAt, by }
}

/** The terms in force of a subject; the announced ones where there are none. */
function inForceInsteadOf(model: Scene['model'], announced: PlainTermsChange): TermsChange {
  switch (announced.kind) {
    case 'settings':
      return { kind: 'settings', settings: model.settings }
    case 'instrument': {
      const known = model.instruments.find(({ id }) => id === announced.instrument.id)
      return { kind: 'instrument', instrument: asInstrument(known ?? announced.instrument), listing: null }
    }
    case 'calendar':
      return { ...announced, session: model.hours.sessionOf(announced.session.name) ?? announced.session }
    case 'source':
      return { ...announced, source: model.hours.sourceOf(announced.instrumentId) ?? announced.source }
  }
}

const isOtherContract = ({ model }: Scene, { id, contractSize }: Instrument): boolean =>
  model.instruments.some((known) => known.id === id && known.contractSize !== contractSize)

/** A deployment that takes the journal for a new one. */
export const adoptTerms = ({ at, world }: Scene): AdoptTerms => ({
  type: 'adoptTerms',
  at,
  seed: world,
  by: DEPLOYMENT,
})

export function withdrawTerms({ random, at, model }: Scene): WithdrawTerms {
  const known = model.announced.map(({ changeId }) => changeId)
  const changeId =
    known.length > 0 && random.chance(80) ? random.pick(known) : random.int(0, model.lastChangeId + 2)
  return { type: 'withdrawTerms', at, changeId, by: actingOperator(random, model) }
}

/** Mostly at once or very soon; with full notice, a millisecond less, in the past, or exactly at a rollover. */
function someMoment({ random, at, model }: Scene): number | null {
  const draw = random.int(1, 100)
  if (draw <= 40) return null
  if (draw <= 64) return at + random.int(0, 6_000)
  if (draw <= 82) return at + model.settings.noticeMs
  if (draw <= 88) return at + model.settings.noticeMs - 1
  if (draw <= 92) return at - 1
  return model.hours.closesBetween(at, at + 2 * DAY_MS)[0]?.at ?? null
}

function someSettings({ random, model }: Scene): TermsChange {
  const before = model.settings
  const settings = random.pick<TradingSettings>([
    { ...before, stopOutLevel: random.pick([30, 50, 50, 90, 100]) },
    { ...before, stopOutLevel: random.pick([9, 10, 30, 50, 91]) },
    { ...before, feeType: before.feeType === 'rate' ? 'fixed' : 'rate' },
    { ...before, demoBalance: money(random.pick(STARTING_BALANCES)) },
    { ...before, freshnessMs: random.pick([999, 3_000, 5_000]) },
    { ...before, maxLivingOrders: random.pick([500, 500, 9, 5]) },
    // Mostly out of bounds: with an hour of notice few announced changes would take effect within an episode.
    { ...before, noticeMs: random.pick([0, 60_000, HOUR_MS - 1, HOUR_MS, DAY_MS, 30 * DAY_MS + 1]) },
    { ...before, fourEyesLimit: money(random.pick(STARTING_BALANCES) / 2n) },
    { ...before, fourEyesOperatorLimit: money(random.pick(STARTING_BALANCES)) },
    { ...before, warningLevel: random.pick([80, 100]) },
    { ...before, accountCurrency: 'CHF' },
    random.pick<TradingSettings>([
      { ...before, demoBalance: money(-1n) },
      { ...before, fourEyesLimit: money(-1n) },
      { ...before, freshnessMs: 0 },
      { ...before, stopOutLevel: NaN },
      { ...before, maxLivingOrders: 0 },
      { ...before, noticeMs: 0.5 },
    ]),
  ])
  return { kind: 'settings', settings }
}

/** Often the instrument that is traded most; a change is reverted before long. */
function someInstrument(scene: Scene): TermsChange {
  const { random, model, world } = scene
  if (random.chance(model.rollovers.length > 0 ? 60 : 15)) return targetedChange(scene)
  const isAny = random.chance(15)
  const first = random.pick(
    isAny ? world.instruments : [world.favourite, ...world.instruments.slice(0, TRADABLE)],
  )
  const now = model.instruments.find(({ id }) => id === first.id)
  if (!now) throw new Error(`the reference model has lost instrument ${first.id}`)
  const before = asInstrument(now)
  const { contractSize, marginMode } = before
  const isReverted = before.isEnabled ? random.chance(25) : random.chance(80)
  const reverted = { ...first, contractSize, marginMode }
  const instrument = isReverted
    ? reverted
    : random.chance(80)
      ? otherTerms(scene, before)
      : invalidInstrument(scene, before)
  return { kind: 'instrument', instrument, listing: null }
}

/** Its numbers have the core's branded types already. */
const asInstrument = (instrument: PlainInstrument): Instrument => instrument as Instrument

/**
 * Disables an instrument with pending orders, changes the contract of one without orders, or the rates while swaps
 * are outstanding.
 */
function targetedChange({ random, model, world, at }: Scene): TermsChange {
  const hasOrder = ({ id }: { id: number }) => model.active.some(({ instrumentId }) => instrumentId === id)
  const isAwaited = ({ id }: { id: number }) =>
    model.active.some(({ instrumentId, status }) => instrumentId === id && status === 'pending')
  const tradable = model.instruments.slice(0, TRADABLE).map(asInstrument)
  const isFree = (instrument: Instrument) =>
    !hasOrder(instrument) && referenceMarket(model, instrument, at) !== null
  const changed = [
    ...tradable.filter(isAwaited).map((before) => ({ ...before, isEnabled: false })),
    ...tradable.filter(isFree).map((before) => ({ ...before, contractSize: before.contractSize + 1 })),
  ]
  const reversed = tradable.filter(hasOrder).map(withReversedSwap)
  if (reversed.length > 0 && model.rollovers.length > 0 && random.chance(70))
    return { kind: 'instrument', instrument: random.pick(reversed), listing: null }
  const instrument = changed.length > 0 ? random.pick(changed) : world.favourite
  return { kind: 'instrument', instrument, listing: null }
}

/** Reverses the sign of the swap so that users receive what they paid, which needs no notice; else the reverse. */
function withReversedSwap(before: Instrument): Instrument {
  const { buy, sell } = before.swapRate
  const way = buy < 0 || sell < 0 ? 1 : -1
  const swapRate = { buy: ratio(way * Math.abs(buy)), sell: ratio(way * Math.abs(sell)) }
  return { ...before, swapRate }
}

function otherTerms({ random }: Scene, before: Instrument): Instrument {
  const { leverages, lotMin, lotStep, lotMax } = before
  return random.pick<Instrument>([
    { ...before, isEnabled: false },
    { ...before, isEnabled: false },
    { ...before, feeRate: ratio(random.pick([0, 500, 1_000, 2_500])) },
    { ...before, swapRate: { buy: yearlyRate(random), sell: yearlyRate(random) } },
    { ...before, swapRate: { buy: ratio(0), sell: ratio(0) } },
    { ...before, markUp: ratio(random.pick([0, 30, 400, 10_000])) },
    { ...before, markUp: ratio(random.pick([0, 0, 90, 10_001])) },
    { ...before, suspectBand: ratio(before.suspectBand * 2) },
    { ...before, suspectBand: ratio(Math.ceil(before.suspectBand / random.pick([2, 9, 10, 11]))) },
    { ...before, tripleSwapDay: random.pick(['mon', 'tue', 'wed', 'thu', 'fri', 'daily']) },
    { ...before, leverages: leverages.slice(0, -1) },
    { ...before, leverages: [...leverages.filter((each) => each < 400), 400] },
    { ...before, lotMin: lots(lotMin + lotStep) },
    { ...before, lotStep: lots(lotStep * 2), lotMin: lots(lotStep * 2 * Math.ceil(lotMin / lotStep)) },
    { ...before, lotMax: lots(Math.max(lotMin, Math.floor(lotMax / 10))) },
    { ...before, minStopDistance: price(before.minStopDistance + random.int(0, 9)) },
    { ...before, session: random.pick(['always', 'metal', 'share', 'tokyo', 'forex']) },
    { ...before, freshnessMs: random.pick([999, 3_000, 9_000]) },
    { ...before, sourceOrder: random.pick([[], ['other', 'sim']]) },
  ])
}

/** Fields that may not change while orders are active; and invalid instruments. */
const invalidInstrument = ({ random }: Scene, before: Instrument): Instrument =>
  random.pick<Instrument>([
    { ...before, contractSize: before.contractSize + 1 },
    { ...before, contractSize: before.contractSize + 1 },
    { ...before, marginMode: before.marginMode === 'fixed' ? 'leveraged' : 'fixed' },
    { ...before, code: `${before.code}2` },
    { ...before, contractSize: 0 },
    { ...before, leverages: [5, 5] },
    { ...before, lotMin: lots(0) },
    { ...before, lotMax: lots(before.lotMin - before.lotStep) },
    { ...before, lotMin: lots(before.lotMin + 0.5) },
    { ...before, feeRate: ratio(-1) },
    { ...before, sourceOrder: ['sim', 'sim'] },
    { ...before, markUp: ratio(-1) },
    { ...before, session: 'nowhere' },
    { ...before, swapRate: { buy: ratio(NaN), sell: ratio(0) } },
  ])

/** A holiday is added or removed; another schedule; an unreadable schedule. */
function someCalendar({ random, model, at }: Scene): TermsChange {
  const first = random.pick(SESSIONS)
  const before = model.hours.sessionOf(first.name) ?? first
  const date = new Date(at + random.int(-1, 2) * DAY_MS).toISOString().slice(0, 10)
  const closesAt = random.pick([null, '12:00', '15:30'])
  const session = random.pick<SessionText>([
    first,
    first,
    first,
    { ...before, holidays: [...before.holidays.filter((each) => each.date !== date), { date, closesAt }] },
    { ...before, holidays: [...before.holidays.filter((each) => each.date !== date), { date, closesAt }] },
    { ...before, windows: first.windows.replaceAll('7:', '6:') },
    { ...first, name: 'another' },
    random.pick<SessionText>([
      { ...before, windows: 'all day long' },
      { ...before, zone: 'Nowhere/At_All' },
      { ...before, holidays: [{ date: 'Christmas', closesAt: null }] },
    ]),
  ])
  return { kind: 'calendar', session }
}

function someSource({ random, world }: Scene): TermsChange {
  const instrumentId = random.chance(8) ? 77 : random.pick(world.instruments).id
  const hours = random.chance(25) ? 'always' : 'session'
  const freshnessMs = random.pick([null, null, 999, 2_000, 15_000])
  return { kind: 'source', instrumentId, source: { kind: 'simulated', hours, freshnessMs } }
}
