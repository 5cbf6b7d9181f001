import { setTimeout as pause } from 'node:timers/promises'
import { violationsOf, type State } from '@fairlot/core'
import { isUnavailable, type Engine } from './engine.ts'

/** How often all accounts are looked at. */
const ROUND_MS = 60_000
/** How long the loop is kept for it at a time, and how long it is left alone in between. */
const LOOK_MS = 3
const REST_MS = 30
/** Sentences kept of a round: whoever reads them needs no thousand. */
const MOST_NAMED = 10

/** The cheap invariants of a living engine, looked at every minute, a few accounts at a time. */
export type InvariantMonitor = {
  /** What the last round has found, in words without figures; empty when all is well. */
  violations(): readonly string[]
  /** How many it has found since the start; the same one counts every minute. */
  count(): number
  /** Looks at every account once. */
  round(): Promise<void>
  stop(): void
}

type InvariantMonitorOptions = {
  readonly engine: Pick<Engine, 'read'>
  /** Told of each violation, in a sentence. */
  readonly onViolation: (violation: string) => void
  readonly onError: (error: unknown, doing: string) => void
}

export function startInvariantMonitor({
  engine,
  onViolation,
  onError,
}: InvariantMonitorOptions): InvariantMonitor {
  const stopping = new AbortController()
  let named: readonly string[] = []
  let count = 0
  let underWay: Promise<void> | null = null

  const lookAtAll = async () => {
    const found: string[] = []
    for (let next: number | null = 1; next !== null && !stopping.signal.aborted;) {
      const first: number = next
      const seen = await engine.read((state) => checkSome(state, first))
      if (!isUnavailable(seen)) {
        for (const violation of seen.violations) onViolation(violation)
        count += seen.violations.length
        found.push(...seen.violations.map(withoutFigures).slice(0, MOST_NAMED - found.length))
        next = seen.next
      }
      if (next !== null) await pause(REST_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    named = found
  }
  const round = () => (underWay ??= lookAtAll().finally(() => (underWay = null)))
  const timer = setInterval(() => {
    round().catch((error: unknown) => onError(error, 'looking at the invariants'))
  }, ROUND_MS)

  return {
    violations: () => named,
    count: () => count,
    round,
    stop: () => {
      clearInterval(timer)
      stopping.abort()
    },
  }
}

/** Looks at accounts from one on, for a short while; answers where to go on, null at the end. */
function checkSome(state: State, first: number): { violations: string[]; next: number | null } {
  const end = performance.now() + LOOK_MS
  const violations: string[] = []
  for (let id = first; id <= state.lastAccountId; id += 1) {
    if (performance.now() > end) return { violations, next: id }
    const account = state.accounts.get(id)
    if (account) violations.push(...violationsOf(state, account))
  }
  return { violations, next: null }
}

/** Anybody may ask whether we are ready; what somebody has is told to the operator only. */
const withoutFigures = (violation: string): string => {
  const [subject = '', ...said] = violation.split(': ')
  return `${subject}: ${said.join(': ').replaceAll(/-?\d+/g, '…')}`
}
