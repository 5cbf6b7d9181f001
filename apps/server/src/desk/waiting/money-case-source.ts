import type { MoneyCase, State } from '@fairlot/core'
import type { Engine } from '../../engine/engine.ts'
import { isRefusal, readEngine } from '../../http/refusal.ts'
import type { WaitingItem, WaitingSource } from './waiting-source.ts'

/** One kind of the engine's cases of money. */
type CaseOf<K extends MoneyCase['kind']> = Extract<MoneyCase, { kind: K }>

type Shown<K extends MoneyCase['kind']> = {
  readonly kind: K
  readonly itemsOf: (found: readonly CaseOf<K>[]) => Promise<WaitingItem[]>
  readonly contents: WaitingSource['contents']
}

/** The open cases of one kind as a source of what waits: read from the engine, which alone knows what is still open. */
export function moneyCaseSource<K extends MoneyCase['kind']>(
  engine: Engine,
  { kind, itemsOf, contents }: Shown<K>,
): WaitingSource {
  return {
    ...{ name: kind, contents },
    list: async (most) => {
      const found = await readEngine(engine, (state) => openOnes(state, kind).slice(0, most))
      return isRefusal(found) ? found : itemsOf(found)
    },
    count: () => readEngine(engine, (state) => openOnes(state, kind).length),
    find: async (id) => {
      const found = await readEngine(engine, (state) =>
        openOnes(state, kind).filter((each) => each.id === id),
      )
      return isRefusal(found) ? found : ((await itemsOf(found))[0] ?? null)
    },
  }
}

function openOnes<K extends MoneyCase['kind']>({ cases }: State, kind: K): CaseOf<K>[] {
  const found: CaseOf<K>[] = []
  // A view answers values of its own, no part of the memory.
  for (const each of cases.values()) if (isOf(each, kind)) found.push({ ...each })
  return found
}

const isOf = <K extends MoneyCase['kind']>(each: MoneyCase, kind: K): each is CaseOf<K> => each.kind === kind
