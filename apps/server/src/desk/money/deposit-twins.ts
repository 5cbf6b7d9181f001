import type { RelatedCase } from '@fairlot/contract/desk'
import { sql } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { DepositTable } from '../../database/payment-schema.ts'
import type { DeskServices } from '../desk-services.ts'
import type { RiskSign } from '../waiting/waiting-source.ts'

/** In what a deposit is like another case. */
type Likeness = 'number' | 'picture' | 'look'

/** Another case, of anybody, that tells of what may be the same transfer. */
export type Twin = { readonly caseKey: string; readonly accountId: number | null; readonly in: Likeness }

type Sources = { readonly queries: Queries; readonly traders: Pick<DeskServices['traders'], 'pictures'> }
type Row = Pick<DepositTable, 'case_id' | 'proof' | 'reference'>

const keyOf = (row: Row): string => `deposit:${row.case_id}`

/** Of each deposit the cases with its picture, one that looks like it, or its transaction number; each case once, by the strongest of them. */
export async function twinsOf(
  { queries, traders: { pictures } }: Sources,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, readonly Twin[]>> {
  const like = await pictures.like(rows.map((row) => row.proof))
  const named = await namedAlike(
    queries,
    rows.map((row) => row.reference),
  )
  return new Map(
    rows.map((row) => {
      const twins = new Map<string, Twin>()
      const add = (twin: Twin) => {
        if (twin.caseKey !== keyOf(row) && !twins.has(twin.caseKey)) twins.set(twin.caseKey, twin)
      }
      for (const twin of named.get(row.reference.toLowerCase()) ?? []) add(twin)
      const pictured = like.get(row.proof) ?? []
      for (const { caseKey, userId, isSame } of pictured.toSorted((a, b) => +b.isSame - +a.isSame))
        add({ caseKey, accountId: userId, in: isSame ? 'picture' : 'look' })
      return [Number(row.case_id), [...twins.values()]]
    }),
  )
}

/** Other cases with a transaction number, as they are shown beside the one that it is written to. */
export async function casesByReference(
  queries: Queries,
  reference: string,
  ownNumber: number,
): Promise<RelatedCase[]> {
  const found = (await namedAlike(queries, [reference])).get(reference.toLowerCase()) ?? []
  return relatedCases(
    queries,
    found.filter(({ caseKey }) => Number(caseKey.split(':')[1]) !== ownNumber),
  )
}

/** Deposits and payments of withdrawals by transaction numbers, written in whatever letters. */
async function namedAlike(
  queries: Queries,
  given: readonly string[],
): Promise<ReadonlyMap<string, readonly Twin[]>> {
  const references = [...new Set(given.map((text) => text.toLowerCase()))].filter((text) => text !== '')
  if (references.length === 0) return new Map()
  const found = []
  for (const kind of ['deposit', 'withdrawal'] as const)
    for (const row of await queries
      .selectFrom(kind)
      .select(['case_id', 'user_id', 'reference'])
      .where(sql<string>`lower(reference)`, 'in', references)
      .orderBy('case_id')
      .execute())
      found.push({ ...row, kind })
  return new Map(
    [...Map.groupBy(found, (row) => row.reference.toLowerCase())].map(([reference, same]) => [
      reference,
      same.map((row) => ({
        ...{ caseKey: `${row.kind}:${row.case_id}`, accountId: Number(row.user_id), in: 'number' as const },
      })),
    ]),
  )
}

const WORDS: Readonly<Record<Likeness, { readonly weight: RiskSign['weight']; readonly why: string }>> = {
  number: { weight: 3, why: 'the same transaction number' },
  picture: { weight: 3, why: 'the same picture' },
  look: { weight: 2, why: 'a picture that looks the same' },
}

/** `deposit:7` as `deposit 7`. */
const named = (caseKey: string): string => caseKey.replace(':', ' ')

/** What makes a deposit stand out that may be another one over again. */
export const twinSigns = (twins: readonly Twin[]): RiskSign[] =>
  (['number', 'picture', 'look'] as const).flatMap((likeness) => {
    const cases = twins.filter((twin) => twin.in === likeness).map(({ caseKey }) => named(caseKey))
    const { weight, why } = WORDS[likeness]
    return cases.length === 0 ? [] : [{ weight, why: `${why} as ${cases.join(', ')}` }]
  })

/** The cases as they are shown beside the deposit, with how they stand. */
export async function relatedCases(queries: Queries, twins: readonly Twin[]): Promise<RelatedCase[]> {
  const numbers = twins.map(({ caseKey }) => BigInt(caseKey.split(':')[1] ?? 0))
  const rows =
    numbers.length === 0
      ? []
      : await queries
          .selectFrom('money_case')
          .select(['id', 'kind', 'status'])
          .where('id', 'in', numbers)
          .execute()
  const stateOf = new Map(rows.map((row) => [`${row.kind}:${row.id}`, row.status]))
  return twins.map(({ caseKey, accountId, in: likeness }) => {
    const state = stateOf.get(caseKey) ?? ''
    const title = named(caseKey)
    return {
      ...{ caseKey, accountId, state, waits: state === 'open', why: WORDS[likeness].why },
      title: title.charAt(0).toUpperCase() + title.slice(1),
    }
  })
}
