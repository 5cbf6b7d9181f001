import type { OperatorRole } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { Tables } from '../../database/schema.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import { refusalOfReason, type ActLog } from '../acts/act-log.ts'
import type { DeskOperator } from '../operator.ts'
import { findOperator } from '../operators/operator-repository.ts'

/** Who has taken a case, and when: epoch ms. */
export type Holder = DeskOperator & { readonly since: number }

/** Who works on what. It keeps two people from doing the same, and nobody from doing their work: a case can be taken over. */
export type CaseHolders = {
  all(): Promise<ReadonlyMap<string, Holder>>
  of(caseKey: string): Promise<Holder | null>
  /** `from`: who held it as far as the one who takes it knows; refused when that is somebody else by now. */
  take(operator: DeskOperator, caseKey: string, from: number | null): Promise<Refusal | null>
  handOn(operator: DeskOperator, caseKey: string, to: HandedOn): Promise<Refusal | null>
  letGo(operator: DeskOperator, caseKey: string): Promise<Refusal | null>
  /** Why an operator may not decide a case: somebody else has it. */
  refusalOf(operator: DeskOperator, caseKey: string): Promise<Refusal | null>
  /** The case is over. */
  forget(caseKey: string): Promise<void>
}

type HandedOn = { readonly operatorId: number; readonly note: string | null }

type Person = Pick<DeskOperator, 'id' | 'name'>
type Move = {
  readonly operator: DeskOperator
  readonly caseKey: string
  readonly next: Person | null
  readonly note?: string | null
}
/** Why a case cannot be moved, going by who has it. */
type Rule = (holder: Holder | null) => Refusal | null

type Options = { readonly queries: Queries; readonly acts: ActLog; readonly now: () => number }

export function createCaseHolders({ queries, acts, now }: Options): CaseHolders {
  const of = (caseKey: string, within: Queries = queries) => holderOf(within, caseKey)
  const move = async ({ operator, caseKey, next, note = null }: Move, ruleOf: Rule) => {
    const act = { operator, act: 'takeCase', subject: caseKey, caseKey, reason: note ?? '' } as const
    const before = { heldBy: (await of(caseKey))?.name ?? null }
    return acts.note({ ...act, before, after: { heldBy: next?.name ?? null } }, async (within) => {
      const refusal = ruleOf(await of(caseKey, within))
      if (!refusal) await put(within, caseKey, next, now())
      return refusal
    })
  }

  return {
    of,
    all: async () => new Map((await holderRows(queries).execute()).map((row) => [row.case_key, shown(row)])),
    take: (operator, caseKey, from) =>
      move({ operator, caseKey, next: operator }, (holder) => {
        const isExpected = holder === null || holder.id === operator.id || holder.id === from
        return isExpected ? null : refuse('caseHeld', { name: holder.name })
      }),
    handOn: async (operator, caseKey, { operatorId, note }) => {
      const tooLong = note === null ? null : refusalOfReason(note)
      if (tooLong) return tooLong
      const next = await findOperator(queries, operatorId)
      if (next?.is_on !== 1n) return refuse('operatorUnknown')
      return move({ operator, caseKey, next, note }, onlyBy(operator))
    },
    letGo: (operator, caseKey) => move({ operator, caseKey, next: null }, onlyBy(operator)),
    refusalOf: async (operator, caseKey) => {
      const holder = await of(caseKey)
      return holder === null || holder.id === operator.id ? null : refuse('caseHeld', { name: holder.name })
    },
    forget: async (caseKey) => {
      await queries.deleteFrom('case_holder').where('case_key', '=', caseKey).execute()
    },
  }
}

/** Only whoever has a case passes it on. */
const onlyBy =
  ({ id }: DeskOperator): Rule =>
  (holder) =>
    holder?.id === id ? null : refuse('caseNotHeld')

const holderRows = (queries: Queries) =>
  queries
    .selectFrom('case_holder')
    .innerJoin('operator', 'operator.id', 'case_holder.operator_id')
    .select(['case_key', 'since', 'operator.id', 'operator.name', 'operator.role'])

type HolderRow = { id: bigint; name: string; role: string; since: bigint }

const shown = ({ id, name, role, since }: HolderRow): Holder => ({
  ...{ id: Number(id), name, role: role as OperatorRole, since: Number(since) },
})

async function holderOf(queries: Queries, caseKey: string): Promise<Holder | null> {
  const row = await holderRows(queries).where('case_key', '=', caseKey).executeTakeFirst()
  return row ? shown(row) : null
}

async function put(
  within: Transaction<Tables>,
  caseKey: string,
  next: Person | null,
  at: number,
): Promise<void> {
  await within.deleteFrom('case_holder').where('case_key', '=', caseKey).execute()
  if (next)
    await within
      .insertInto('case_holder')
      .values({ case_key: caseKey, operator_id: BigInt(next.id), since: BigInt(Math.floor(at)) })
      .execute()
}
