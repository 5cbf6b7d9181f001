import { setTimeout as pause } from 'node:timers/promises'
import { violationsOf, type State } from '@fairlot/core'
import { isUnavailable, type Engine } from './engine.ts'

/** Interval at which all accounts are checked. */
const ROUND_MS = 60_000
/** How long a slice of checks may block the event loop, and the pause between two slices. */
const SLICE_MS = 3
const PAUSE_MS = 30
/** Most violations named after one round. */
const MAX_NAMED = 10

/** Checks the cheap invariants of a running engine every minute, a few accounts at a time. */
export type InvariantMonitor = {
  /** The violations of the last round, without figures; empty when there are none. */
  violations(): readonly string[]
  /** Violations found since the start; one that persists counts every minute. */
  count(): number
  /** Checks every account once. */
  round(): Promise<void>
  stop(): void
}

type InvariantMonitorOptions = {
  readonly engine: Pick<Engine, 'read'>
  /** Called with each violation, as a sentence. */
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
  let inProgress: Promise<void> | null = null

  const checkAll = async () => {
    const found: string[] = []
    for (let next: number | null = 1; next !== null && !stopping.signal.aborted;) {
      const first: number = next
      const checked = await engine.read((state) => checkSome(state, first))
      if (!isUnavailable(checked)) {
        for (const violation of checked.violations) onViolation(violation)
        count += checked.violations.length
        found.push(...checked.violations.map(withoutFigures).slice(0, MAX_NAMED - found.length))
        next = checked.next
      }
      if (next !== null) await pause(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    named = found
  }
  const round = () => (inProgress ??= checkAll().finally(() => (inProgress = null)))
  const timer = setInterval(() => {
    round().catch((error: unknown) => onError(error, 'checking the invariants'))
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

/** Checks accounts from id `first` for `SLICE_MS`. `next` is the account to continue with, null at the end. */
function checkSome(state: State, first: number): { violations: string[]; next: number | null } {
  const end = performance.now() + SLICE_MS
  const violations: string[] = []
  for (let id = first; id <= state.lastAccountId; id += 1) {
    if (performance.now() > end) return { violations, next: id }
    const account = state.accounts.get(id)
    if (account) violations.push(...violationsOf(state, account))
  }
  return { violations, next: null }
}

/** `/readyz` is public: it names violations without the figures of an account. */
const withoutFigures = (violation: string): string => {
  const [subject = '', ...details] = violation.split(': ')
  return `${subject}: ${details.join(': ').replaceAll(/-?\d+/g, '…')}`
}
