import {
  DEPLOYMENT,
  type Author,
  type Instrument,
  type Listing,
  type SetOperator,
  type TermsChange,
} from '@fairlot/core'
import type { Answer, Engine } from '../engine/engine.ts'
import { TEST_OPERATOR } from '../../../../testing/test-world.ts'

type TermsAuthor = Extract<Author, { type: 'operator' | 'deployment' }>

/** Two operators, who may announce market closures at short notice. */
const TWO_OPERATORS = { ...TEST_OPERATOR, second: { id: 900_000, role: 'compliance' as const } }

/** Journals an operator that a test wrote to the tables: the engine rejects operators it does not know. */
export async function journalOperator(
  { engine }: { readonly engine: Pick<Engine, 'execute'> },
  operator: Pick<SetOperator, 'operatorId' | 'role' | 'hasJoined'>,
): Promise<void> {
  const answer = await engine.execute({ type: 'setOperator', by: DEPLOYMENT, isActive: true, ...operator })
  if (!('entry' in answer)) throw new Error(`the engine rejected operator ${operator.operatorId}`)
}

/** Ends single-operator mode by journaling a second operator, who never logs in. */
export const endSingleOperatorMode = (server: {
  readonly deployment: { readonly engine: Pick<Engine, 'execute'> }
}): Promise<void> =>
  journalOperator(server.deployment, {
    operatorId: TWO_OPERATORS.second.id,
    role: TWO_OPERATORS.second.role,
    hasJoined: true,
  })

/** Changes terms at once, as the deployment does at a start, or announces them for a moment (epoch ms), as operators do. */
export async function setTerms(
  engine: Pick<Engine, 'execute' | 'state'>,
  change: TermsChange,
  effectiveAt: number | null = null,
  by: TermsAuthor = effectiveAt === null ? DEPLOYMENT : TWO_OPERATORS,
): Promise<Answer> {
  // An engine that has operators has to know the second one.
  if (by === TWO_OPERATORS && engine.state().hasOperators)
    await endSingleOperatorMode({ deployment: { engine } })
  return engine.execute({ type: 'setTerms', change, effectiveAt, by })
}

/** Changes some terms of an instrument, at once or at a moment. Throws when the change is rejected. */
export async function changeInstrument(
  engine: Pick<Engine, 'execute' | 'state'>,
  instrumentId: number,
  change: Partial<Instrument>,
  given: {
    readonly effectiveAt?: number
    readonly listing?: Partial<Listing>
    readonly by?: TermsAuthor
  } = {},
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
    given.by,
  )
  if (!('entry' in answer)) throw new Error(`the terms were rejected: ${JSON.stringify(answer)}`)
}
