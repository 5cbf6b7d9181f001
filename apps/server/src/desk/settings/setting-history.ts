import { DESK_PAGE_ROWS, type SettingChange } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'

/** What became of a setting, out of the acts: the latest first. */
export async function pastOfSetting(
  queries: Queries,
  { name, page }: { readonly name: string; readonly page: number },
  limit = DESK_PAGE_ROWS,
): Promise<{ changes: SettingChange[]; total: number }> {
  const done = queries
    .selectFrom('desk_act')
    .where('subject', '=', `setting:${name}`)
    .where('outcome', '=', 'done')
  const { total } = await done.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await done
    .select(['at', 'operator_name', 'before', 'after', 'reason'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const changes = rows.map(({ at, operator_name: by, before, after, reason }) => ({
    ...{ at: Number(at), by, reason, before: valueIn(before), after: valueIn(after) },
  }))
  return { changes, total: Number(total) }
}

const valueIn = (json: string | null): string =>
  json === null ? '' : String((JSON.parse(json) as { value?: unknown }).value ?? '')
