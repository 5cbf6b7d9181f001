import type { Instrument, Listing, TermsChange } from '@fairlot/core'
import type { Answer, Engine } from '../engine/engine.ts'
import { TEST_OPERATOR } from '../../../../testing/test-world.ts'

/** Two people, who may change terms without a notice. */
const BOTH = { ...TEST_OPERATOR, second: { id: 2, role: 'administrator' as const } }

/** Changes terms as operators do: at once, or from a moment on (epoch ms). */
export const setTerms = (
  engine: Pick<Engine, 'execute'>,
  change: TermsChange,
  effectiveAt: number | null = null,
): Promise<Answer> => engine.execute({ type: 'setTerms', change, effectiveAt, by: BOTH })

/** Changes some terms of an instrument, at once or from a moment on; the others stay. Throws when that is refused. */
export async function changeInstrument(
  engine: Pick<Engine, 'execute' | 'state'>,
  instrumentId: number,
  change: Partial<Instrument>,
  given: { readonly effectiveAt?: number; readonly listing?: Partial<Listing> } = {},
): Promise<void> {
  const { instruments, listings } = engine.state()
  const instrument = instruments.get(instrumentId)
  const listing = listings.get(instrumentId)
  if (!instrument) throw new Error(`there is no instrument ${instrumentId}`)
  const answer = await setTerms(
    engine,
    {
      kind: 'instrument',
      instrument: { ...instrument, ...change },
      listing: given.listing && listing ? { ...listing, ...given.listing } : null,
    },
    given.effectiveAt,
  )
  if (!('entry' in answer)) throw new Error(`the terms were not taken: ${JSON.stringify(answer)}`)
}
