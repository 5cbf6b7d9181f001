/**
 * Entries as the first version wrote them: without a version, an author or terms. They are upgraded when they are read; what is
 * in the journal, and what receipts are hashes of, stays as it was written.
 */
type Raw = Readonly<Record<string, unknown>>

const isObject = (raw: unknown): raw is Raw => typeof raw === 'object' && raw !== null && !Array.isArray(raw)

/** An entry of the first version as the second would have written it. */
export function upgradeEntry(raw: Raw): Raw {
  const events = Array.isArray(raw['events']) ? raw['events'].map(upgradeEvent) : []
  return { version: 2, ...raw, author: authorOf(raw['request'], events), events }
}

/** An event of the first version; one of a later version comes back as it is. */
export function upgradeEvent(raw: unknown): unknown {
  if (!isObject(raw)) return raw
  const { receipt } = raw
  if (isObject(receipt) && receipt['terms'] === undefined)
    return { ...raw, receipt: { ...receipt, terms: 0 } }
  // The only money that moved by itself.
  return raw['type'] === 'moneyMoved' ? { ...raw, type: 'demoReset' } : raw
}

const operator = (reason: unknown) => ({
  ...{ type: 'operator', id: 0, role: 'administrator' },
  ...{ reason: typeof reason === 'string' ? reason : '', second: null },
})
const MARKET = { type: 'market' }
const CLOCK = { type: 'clock' }

/** Who caused an entry follows from its request, or from its first event. */
function authorOf(request: unknown, [first]: readonly unknown[]): Raw {
  if (isObject(request)) return user(request)
  if (!isObject(first)) return CLOCK
  switch (first['type']) {
    case 'instrumentHalted':
      return operator(first['reason'])
    case 'tradingModeSet':
      return operator('')
    case 'rolledOver':
      return CLOCK
    case 'stopsSet':
      // Users who move the stops themselves end the trailing.
      return first['trailingDistance'] === null ? user(first) : MARKET
    default:
      return isObject(first['receipt']) ? byTrigger(first, first['receipt']['trigger']) : user(first)
  }
}

const user = ({ accountId }: Raw): Raw => ({ type: 'user', accountId })

function byTrigger(event: Raw, trigger: unknown): Raw {
  switch (trigger) {
    case 'user':
      return user(event)
    case 'operator':
      return operator('')
    case 'expiry':
    case 'rollover':
      return CLOCK
    default:
      return MARKET
  }
}
