import type { NoticeGroup, NoticeWay } from '@fairlot/contract'
import type { Queries } from '../platform/database/open.ts'

/** A choice that can be switched off, such as `deposit.mail`. */
type Off = `${NoticeGroup}.${NoticeWay}`

/** Groups with mails that users can switch off. Security events send their own mails. */
const MAILED: readonly NoticeGroup[] = [
  'margin',
  'stopOut',
  'alerts',
  'deposit',
  'withdrawal',
  'identity',
  'account',
]
/** All groups, in the order of the settings. */
export const GROUPS: readonly NoticeGroup[] = [...MAILED, 'support', 'orders', 'news', 'security']

/** Whether users may switch it off; security notices are always on, and news are not pushed. */
export const isSwitchable = (group: NoticeGroup, way: NoticeWay): boolean =>
  group !== 'security' &&
  (way === 'app' || (way === 'push' && group !== 'news') || (way === 'mail' && MAILED.includes(group)))

/** The choices that a user has switched off. */
export async function switchedOff(queries: Queries, userId: number): Promise<ReadonlySet<string>> {
  const choice = queries.selectFrom('notice_choice').select('off').where('user_id', '=', BigInt(userId))
  const row = await choice.executeTakeFirst()
  return new Set(row ? (JSON.parse(row.off) as string[]) : [])
}

/** Switches one choice. The row is locked first, so that no concurrent change is lost. */
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
    const others = [...(await switchedOff(within, userId))].filter((choice) => choice !== off)
    await within
      .updateTable('notice_choice')
      .set({ off: JSON.stringify(isOn ? others : [...others, off]) })
      .where('user_id', '=', user_id)
      .execute()
  })
}
