import { setTimeout as pause } from 'node:timers/promises'
import type { Account, State } from '@fairlot/core'
import { isUnavailable, UNAVAILABLE, type Unavailable } from '../../engine/pending-command.ts'
import type { Engine } from '../../engine/engine.ts'

/** How long the loop is kept at a time, and how long it is left alone in between, ms. */
const LOOK_MS = 5
const REST_MS = 5

/** What a walk over all accounts comes to. */
export type Walk = {
  /** Looks at one account. Its state and the figures it takes from it are those of that moment. */
  readonly look: (account: Account, state: State) => void
  /** Ends the walk before its end. */
  readonly isOver?: () => boolean
}

/**
 * Walks over all accounts by id, a few at a time, so that nothing waits for it. Prices and accounts go on meanwhile: who needs the same
 * prices throughout keeps them. `Unavailable` when what was seen came to nothing, or the memory was replaced on the way.
 */
export async function walkAccounts(
  engine: Pick<Engine, 'read' | 'state'>,
  walk: Walk,
): Promise<Unavailable | null> {
  const memory = engine.state()
  for (let next: number | null = 1; next !== null;) {
    const first: number = next
    const seen = await engine.read((state) =>
      state === memory ? { next: lookAtSome(state, first, walk) } : UNAVAILABLE,
    )
    if (isUnavailable(seen)) return seen
    next = walk.isOver?.() ? null : seen.next
    if (next !== null) await pause(REST_MS)
  }
  return null
}

/** Looks at accounts from one on, for a short while; answers where to go on, null at the end. */
function lookAtSome(state: State, first: number, { look }: Walk): number | null {
  const end = performance.now() + LOOK_MS
  for (let id = first; id <= state.lastAccountId; id += 1) {
    if (performance.now() > end) return id
    const account = state.accounts.get(id)
    if (account) look(account, state)
  }
  return null
}
