import { countUnreadNotices, listNotices, readNotices, valueOf } from '@fairlot/contract'
import { setUserStatus } from '@fairlot/contract/desk'
import { lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { newUser } from '../testing/accounts.ts'
import { atDesk } from '../testing/desk.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { clientOf } from '../../../../testing/client.ts'

const PATIENCE = { timeout: 20_000 }

describe.each(DATABASES)('notices at the edge, %s', (kind) => {
  const server = serverOn(kind)
  const price = (mid: number) => server().price('EURUSD', [mid, mid])

  test('a notice that arrives after the list was shown stays unread when the list is marked as read', async () => {
    const account = await newUser(server())
    const compliance = await atDesk(server(), 'compliance')
    const client = clientOf(server().url, account.token)
    const set = (before: 'active' | 'closeOnly', status: 'active' | 'closeOnly') =>
      compliance.request(setUserStatus, { id: account.user.id, before, status, reason: 'asked' })
    const list = async () => valueOf(await client.call(listNotices, { page: 1, before: null })).notices
    const unread = async () => valueOf(await client.call(countUnreadNotices, null)).count
    await set('active', 'closeOnly')
    const shown = await list()
    const upTo = shown[0]?.time ?? 0
    const moment = server().deployment.wallClock()
    await expect.poll(() => server().deployment.wallClock()).toBeGreaterThan(moment)
    await set('closeOnly', 'active')
    await client.call(readNotices, { upTo })
    expect(await unread()).toBe(1)
    const later = await list()
    expect(later.map(({ isRead }) => isRead)).toEqual([false, ...shown.map(() => true)])
    await client.call(readNotices, { upTo: later[0]?.time ?? 0 })
    expect(await unread()).toBe(0)
  })

  test('a margin level that moves around the warning level warns once, until it has recovered to 110 % of it', async () => {
    await price(1.1)
    const [wavering, recovering] = [await newTrader(server()), await newTrader(server())]
    // 100,000 each, less the fee. At 1.1 the levels are 109.0 % and 113.5 %, at 1.09 they are 81.7 % and 86.3 %.
    await wavering.order({ lots: lots(250_000) })
    await recovering.order({ lots: lots(240_000) })
    const warnings = async ({ client }: Trader) =>
      valueOf(await client.call(listNotices, { page: 1, before: null })).notices.filter(
        (notice) => notice.kind === 'marginWarning',
      ).length
    const warned = async () => {
      const { queries } = server().deployment.database
      const rows = await queries.selectFrom('margin_warned').select('user_id').orderBy('user_id').execute()
      return rows.map(({ user_id }) => Number(user_id))
    }
    const both = [wavering.user.id, recovering.user.id]
    await price(1.09)
    await expect.poll(warned, PATIENCE).toEqual(both)
    // The check that finds one account recovered finds the other above the level but not recovered.
    await price(1.1)
    await expect.poll(warned, PATIENCE).not.toContain(recovering.user.id)
    await price(1.09)
    await expect.poll(() => warnings(recovering), PATIENCE).toBe(2)
    expect(await warned()).toEqual(both)
    expect(await warnings(wavering)).toBe(1)
  })
})
