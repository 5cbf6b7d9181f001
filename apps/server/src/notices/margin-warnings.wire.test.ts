import { listNotices, submitOrder, valueOf, type Client } from '@fairlot/contract'
import { finishDeposit } from '@fairlot/contract/desk'
import { lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { openPriceSource, quote } from '../../../../testing/price-source.ts'
import { MARKET_BUY, newTrader } from '../../../../testing/traders.ts'
import { sentTo } from '../testing/accounts.ts'
import { atDesk } from '../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, units } from '../testing/payments.ts'
import { DATABASES, makePlace, startServer, type RunningServer } from '../testing/running-server.ts'

const warningsOf = async (client: Client<AbortSignal>): Promise<number> => {
  const { notices } = valueOf(await client.call(listNotices, { page: 1, before: null }))
  return notices.filter(({ kind }) => kind === 'marginWarning').length
}

describe.each(DATABASES)('margin warnings, %s', (kind) => {
  test('and their mails are neither lost nor repeated by a restart', async () => {
    const { remove, ...place } = await makePlace(kind)
    const source = await openPriceSource()
    let server: RunningServer = await startServer(place, { env: { FEED: source.url } })
    const price = (mid: number) => quote(source, server.deployment.engine, 'EURUSD', [mid, mid])
    const restart = async () => {
      await server.stop()
      expect(server.failures).toEqual([])
      server = await startServer(place, { env: { FEED: source.url } })
    }
    const again = (token: string) => clientOf(server.url, token)
    await price(1.1)
    const payer = await newPayer(server)
    const finance = await atDesk(server, 'finance')
    const id = await openedDeposit(server, payer.user.id, units(10_000))
    await finance.request(finishDeposit, {
      id,
      amount: sentUnits(10_000),
      arrivedAt: null,
      reason: 'arrived',
    })
    valueOf(await payer.client.call(submitOrder, { ...MARKET_BUY, lots: lots(25_000) }))

    // The server stops at the moment of the fall: whether it has checked the level or not, there is one warning.
    await price(1.09)
    await restart()
    await price(1.09)
    await expect.poll(() => warningsOf(again(payer.token)), { timeout: 20_000 }).toBe(1)
    const mails = async () =>
      (await sentTo(server, payer.email)).filter(({ subject }) => subject === 'Margin call').length
    await expect.poll(mails, { timeout: 20_000 }).toBe(1)

    // An account that falls while the server is down is warned at the next start; one that was warned is not warned again.
    const late = await newTrader(server)
    await late.order({ lots: lots(250_000) })
    await restart()
    await price(1.0795)
    await expect.poll(() => warningsOf(again(late.token)), { timeout: 20_000 }).toBe(1)
    expect([await warningsOf(again(payer.token)), await mails()]).toEqual([1, 1])

    await server.stop()
    source.close()
    await remove()
    expect(server.failures).toEqual([])
  })
})
