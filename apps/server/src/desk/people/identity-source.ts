import type { IdentityCheckTable } from '../../database/identity-schema.ts'
import type { Queries } from '../../database/open.ts'
import { faultLines } from '../../i18n/identity-faults.ts'
import type { DeskServices } from '../desk-services.ts'
import { paidFacts, step, textFact } from '../money/money-facts.ts'
import { traderWords } from '../waiting/trader-words.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../waiting/waiting-source.ts'

/**
 * Identities that somebody has to look at, by the number of the person. Whose identity was marked meanwhile waits no more. Everybody sees the
 * list, so neither name nor number is in it.
 */
export function identitySource({ queries }: Pick<DeskServices, 'queries'>): WaitingSource {
  const itemsOf = async (rows: readonly IdentityCheckTable[]): Promise<WaitingItem[]> => {
    const doubles = await doublesOf(queries, rows)
    return rows.map((row) => itemOf(row, doubles.get(row.user_id) ?? []))
  }
  return {
    name: 'identity',
    list: async (most) => itemsOf(await waiting(queries).orderBy('sent_at').limit(most).execute()),
    count: async () => {
      const { count } = await waiting(queries)
        .clearSelect()
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async (id) => {
      const rows = await waiting(queries).where('identity_check.user_id', '=', BigInt(id)).execute()
      return (await itemsOf(rows))[0] ?? null
    },
    contents: (item) => contentsOf(queries, item),
  }
}

/** Nobody has decided what they sent, nor marked them as verified. */
const waiting = (queries: Queries) =>
  queries
    .selectFrom('identity_check')
    .leftJoin('verified_person', 'verified_person.user_id', 'identity_check.user_id')
    .selectAll('identity_check')
    .where('identity_check.status', '=', 'waiting')
    .where('verified_person.user_id', 'is', null)

/** Other people with the number of a person's document. */
export async function doublesOf(
  queries: Queries,
  rows: readonly IdentityCheckTable[],
): Promise<Map<bigint, readonly number[]>> {
  if (rows.length === 0) return new Map()
  const marks = [...new Set(rows.map((row) => row.number_mark))]
  const same = await queries
    .selectFrom('identity_check')
    .select(['user_id', 'number_mark'])
    .where('number_mark', 'in', marks)
    .orderBy('user_id')
    .execute()
  const byMark = Map.groupBy(same, (row) => row.number_mark)
  return new Map(
    rows.map((row) => {
      const others = (byMark.get(row.number_mark) ?? []).filter((each) => each.user_id !== row.user_id)
      return [row.user_id, others.map((each) => Number(each.user_id))]
    }),
  )
}

function itemOf(row: IdentityCheckTable, doubles: readonly number[]): WaitingItem {
  const id = Number(row.user_id)
  const times = Number(row.times_sent)
  const signs: RiskSign[] =
    doubles.length > 0 ? [{ weight: 3, why: `the same document as account ${doubles.join(', ')}` }] : []
  return {
    ...{ id, kind: 'identity', kindName: 'Identities', title: `Identity ${id}`, accountId: id, amount: null },
    what: times === 1 ? 'sent for the first time' : `sent again, ${times} times so far`,
    ...{ since: Number(row.sent_at), asked: null, needsSecond: false, decideAct: 'verifyPerson', signs },
  }
}

async function contentsOf(queries: Queries, { id, what, since }: WaitingItem): Promise<CaseContents> {
  const example = [{ field: 'reverse', fault: 'unreadable', words: '' }] as const
  return {
    ...{ reason: '', changes: [], decision: 'identity' },
    facts: [textFact('Documents', what), ...(await paidFacts(queries, id))],
    steps: [
      step('Sent by the person', 'done', { at: since }),
      step('Compared with the document', 'now', { note: 'name and number as they stand on it' }),
      step('Verified', 'next', { note: 'or sent again, only what was wrong' }),
    ],
    words: await traderWords(queries, id, (translate) => [
      { when: 'approved', text: translate('mail.identityVerified.text') },
      {
        when: 'refused',
        text: translate('mail.identityRejected.text', { faults: faultLines(translate, example) }),
      },
    ]),
  }
}
