import { getAct, getChainEnds, listActs } from '@fairlot/contract/desk'
import type { DeskActTable } from '../../database/desk-schema.ts'
import { refuse } from '../../http/refusal.ts'
import { CSV_ROWS_MAX, type CsvRow } from '../../http/csv.ts'
import type { DeskServices } from '../desk-services.ts'
import { exportedActs, findAct, findActs, shownAct } from './act-repository.ts'
import { readChainEnds } from './chain-ends.ts'
import { differencesOf } from './differences.ts'
import { lastMailed } from './chain-mail.ts'

/** Everything that operators did and tried, for colleagues and auditors. */
export function registerActs({ api, acts, queries }: DeskServices): void {
  api.operator(listActs, ({ input: { page, ...filter } }) => findActs(queries, filter, page))
  api.operator(getAct, async ({ input: { id } }) => {
    const row = await findAct(queries, id)
    if (!row) return refuse('actUnknown')
    const { before, after, previous_hash: previousHash, hash } = row
    return { act: shownAct(row), changes: differencesOf(before, after), previousHash, hash }
  })
  api.operator(getChainEnds, async () => ({
    ...(await readChainEnds(queries)),
    lastMailed: await lastMailed(queries),
  }))
  api.csv(
    listActs,
    COLUMNS,
    async ({ operator, input: { page: _page, ...filter } }) => {
      const rows = await exportedActs(queries, filter, CSV_ROWS_MAX)
      // Who takes a copy of the acts with them is among the acts.
      const act = { operator, act: 'exportActs', subject: 'acts:all' } as const
      await acts.note({ ...act, after: { rows: rows.length, filter } }, () => Promise.resolve(null))
      return rows.map(csvRow)
    },
    'exportActs',
  )
}

const COLUMNS = [
  ...(['id', 'at', 'operator_id', 'operator_name', 'role', 'second_id', 'second_name', 'act'] as const),
  ...(['subject', 'account_id', 'reason', 'before', 'after', 'case_key', 'outcome', 'journal_at'] as const),
  ...(['previous_hash', 'hash'] as const),
] as const satisfies readonly (keyof DeskActTable)[]

const csvRow = (row: DeskActTable): CsvRow =>
  Object.fromEntries(
    COLUMNS.map((column) => {
      const value = row[column]
      return [column, typeof value === 'bigint' ? String(value) : value]
    }),
  )
