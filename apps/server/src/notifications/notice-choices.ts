import type { NoticeGroup, NoticeWay } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'

/** One thing that can be switched off, such as `deposit.mail`. */
type Off = `${NoticeGroup}.${NoticeWay}`

/** What users are mailed of; security besides, by what happens itself. */
const MAILED_GROUPS: readonly NoticeGroup[] = [
  'margin',
  'stopOut',
  'deposit',
  'withdrawal',
  'identity',
  'account',
]
/** What stands in the list, in the order of the settings. */
export const GROUPS: readonly NoticeGroup[] = [...MAILED_GROUPS, 'support', 'orders', 'news', 'security']

/** Whether there is something to choose: of security everybody is told. */
export const isSwitchable = (group: NoticeGroup, way: NoticeWay): boolean =>
  group !== 'security' && (way === 'app' || MAILED_GROUPS.includes(group))

/** What a user has switched off. */
export async function switchedOff(queries: Queries, userId: number): Promise<ReadonlySet<string>> {
  const choice = queries.selectFrom('notice_choice').select('off').where('user_id', '=', BigInt(userId))
  const row = await choice.executeTakeFirst()
  return new Set(row ? (JSON.parse(row.off) as string[]) : [])
}

/** Switches one thing; two at the same time are both kept. */
export async function switchNotice(
  queries: Queries,
  userId: number,
  { group, way, isOn }: { readonly group: NoticeGroup; readonly way: NoticeWay; readonly isOn: boolean },
): Promise<void> {
  const off: Off = `${group}.${way}`
  await queries.transaction().execute(async (within) => {
    const user_id = BigInt(userId)
    await within
      .insertInto('notice_choice')
      .values({ user_id, off: '[]' })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id }))
      .execute()
    const others = [...(await switchedOff(within, userId))].filter((one) => one !== off)
    await within
      .updateTable('notice_choice')
      .set({ off: JSON.stringify(isOn ? others : [...others, off]) })
      .where('user_id', '=', user_id)
      .execute()
  })
}
