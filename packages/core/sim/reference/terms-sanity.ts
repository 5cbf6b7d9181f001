/** Sanity checks of valid terms, in the reference model. */
import type { PlainInstrument, PlainTermsChange } from '../plain-types.ts'
import { conversionPairsFrom } from './market.ts'
import type { ReferenceModel } from './state.ts'

/** Values that are surely a mistake. One that was already there may stay. */
export function isImplausible(model: ReferenceModel, change: PlainTermsChange): boolean {
  switch (change.kind) {
    case 'calendar':
      return hasCalendarMistake(change.session)
    case 'settings': {
      const before = implausibleSettings(model.settings)
      return implausibleSettings(change.settings).some((isOdd, index) => isOdd && !before[index])
    }
    case 'instrument': {
      const known = model.instruments.find(({ id }) => id === change.instrument.id)
      const before = known ? implausibleTerms(model, known) : []
      return implausibleTerms(model, change.instrument).some((isOdd, index) => isOdd && !before[index])
    }
    case 'source':
      return false
  }
}

const DAY_MS = 24 * 3_600_000

type Settings = Extract<PlainTermsChange, { kind: 'settings' }>['settings']

const implausibleSettings = (settings: Settings | ReferenceModel['settings']): boolean[] => [
  settings.stopOutLevel < 1,
  settings.warningLevel < settings.stopOutLevel,
  settings.freshnessMs < 100 || settings.freshnessMs > DAY_MS,
  settings.demoBalance <= 0n,
  settings.noticeMs > 365 * DAY_MS,
]

const implausibleTerms = (model: ReferenceModel, terms: PlainInstrument): boolean[] => [
  model.instruments.some(({ id, code }) => id !== terms.id && code === terms.code),
  terms.baseCurrency === terms.quoteCurrency,
  terms.leverages.some((leverage) => leverage > 1_000),
  terms.lotMax % terms.lotStep !== 0,
  model.settings.feeType === 'rate' && terms.feeRate > 1_000_000,
  Math.abs(terms.swapRate.buy) > 1_000_000_000,
  Math.abs(terms.swapRate.sell) > 1_000_000_000,
  terms.suspectBand > 1_000_000,
  terms.maxSpread > 1_000_000,
  terms.freshnessMs !== undefined && (terms.freshnessMs < 100 || terms.freshnessMs > DAY_MS),
  terms.markUp !== undefined && terms.markUp > 100_000,
  terms.isEnabled && !isConvertible(model, terms),
]

/** Whether what it earns or loses could be converted to the account currency, with these terms. */
function isConvertible({ instruments, settings }: ReferenceModel, terms: PlainInstrument): boolean {
  if (terms.marginMode === 'fixed') return true
  const after = [...instruments.filter(({ id }) => id !== terms.id), terms]
  return conversionPairsFrom({ instruments: after, settings }, terms.quoteCurrency) !== null
}

/** Two overlapping windows, or a day named twice; minute by minute of the week. */
function hasCalendarMistake({
  windows,
  holidays,
}: Extract<PlainTermsChange, { kind: 'calendar' }>['session']): boolean {
  if (new Set(holidays.map(({ date }) => date)).size < holidays.length) return true
  if (windows === 'always') return false
  const open = new Set<number>()
  for (const window of windows.split('; ')) {
    const [from = 0, to = 0] = window.split('-').map(minuteOfWeek)
    for (let minute = from; minute !== to; minute = (minute + 1) % WEEK_MINUTES) {
      if (open.has(minute)) return true
      open.add(minute)
    }
  }
  return false
}

const WEEK_MINUTES = 7 * 24 * 60
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const minuteOfWeek = (moment: string): number => {
  const [day = '', hour = '', minute = ''] = moment.split(/[ :]/)
  return (DAYS.indexOf(day) * 24 + Number(hour)) * 60 + Number(minute)
}
