import type { ChainEnd } from '@fairlot/contract/desk'
import { NOTHING_BEFORE } from '../../database/act-hash.ts'
import type { Queries } from '../../database/open.ts'
import { readHead } from '../../engine/journal/journal.ts'
import { lastAct } from './act-repository.ts'

/** Where the journal and the acts end: the hash of a last row covers all before it. */
export async function readChainEnds(queries: Queries): Promise<{ journal: ChainEnd; acts: ChainEnd }> {
  const { seq, hash, at } = await readHead(queries)
  const last = await lastAct(queries)
  return {
    journal: { number: seq, hash, at: seq === 0 ? null : at },
    acts: {
      number: Number(last?.id ?? 0),
      hash: last?.hash ?? NOTHING_BEFORE,
      at: last ? Number(last.at) : null,
    },
  }
}
