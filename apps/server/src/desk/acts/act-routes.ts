import { actsFile, getAct, getChainEnds, listActs } from '@fairlot/contract/desk'
import type { DeskActTable } from '../../database/desk-schema.ts'
import { refuse } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { exportedActs, findAct, findActs, shownAct } from './act-repository.ts'
import { subjectNames } from './act-subjects.ts'
import { readChainEnds } from './chain-ends.ts'
import { differencesOf } from './differences.ts'
import { lastMailed } from './chain-mail.ts'

/** Everything that operators did and tried, for colleagues and auditors. */
export function registerActs({ api, queries }: DeskServices): void {
  api.operator(listActs, ({ input: { page, ...filter } }) => findActs(queries, filter, page))
  api.operator(getAct, async ({ input: { id } }) => {
    const row = await findAct(queries, id)
    if (!row) return refuse('actUnknown')
    const { before, after, previous_hash: previousHash, hash } = row
    return {
      act: shownAct(row, await subjectNames(queries)),
      changes: differencesOf(before, after),
      previousHash,
      hash,
    }
  })
  api.operator(getChainEnds, async () => ({
    ...(await readChainEnds(queries)),
    lastMailed: await lastMailed(queries),
  }))
  // With what an auditor works the chain out from.
  api.csv(actsFile, async ({ input: { page, ...filter } }, limit) => {
    const { rows, total } = await exportedActs(queries, filter, page, limit)
    const nameOf = await subjectNames(queries)
    return { rows: rows.map((row) => ({ ...csvRow(row), about: nameOf(row.subject) })), total }
  })
}

/** As the table has it: numbers are no amounts of money. */
const csvRow = (row: DeskActTable): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )
