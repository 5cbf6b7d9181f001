import { beforeAll, describe, expect, test } from 'vitest'
import { newTrader } from '../../../../testing/traders.ts'
import { newUser } from '../testing/accounts.ts'
import { call, dataOf } from '../testing/calls.ts'
import { DATABASES, serverOn, type PricedServer } from '../testing/running-server.ts'
import { isAllowedTarget } from './companies.ts'

/** Stored addresses that an older list of hosts, or a direct edit, may have left: they are checked again when read. */
const FORBIDDEN_TARGETS = [
  'https://elsewhere.example/',
  'http://closed.example/',
  'javascript:alert(1)//closed.example',
  'data:text/html,closed.example',
  '//closed.example',
  '/\\closed.example',
  'https:closed.example@elsewhere.example',
  'https://closed.example@elsewhere.example/',
  'https://user:word@closed.example/',
  'https://:word@closed.example/',
  'https://closed.example.elsewhere.example/',
  'https://elsewhere.example/closed.example',
  'https://elsewhere.example#@closed.example',
  'https://elsewhere.example\\@closed.example',
  'https://closed.example./',
  'https://сlosed.example/',
  'https://closed.example%2eelsewhere.example/',
  ' ',
  '',
]

const row = (id: bigint, change: object = {}) => ({
  id,
  name: `Firm ${id}`,
  name_key: `firm ${id}`,
  subject: 'Brokerage',
  logo: '',
  url: '',
  email: '',
  registered_address: '1 Quay',
  location: 'Hong Kong',
  loss_url: '',
  is_on: 1n,
  version: 1n,
  changed_at: 1n,
  ...change,
})

const ROWS = [
  row(1n, { name: 'Harbour Ledger Ltd', name_key: 'harbour ledger ltd' }),
  row(2n, {
    name: 'Ａlpha 100%',
    name_key: 'alpha 100%',
    url: 'https://alpha.example',
    email: 'a@a.example',
  }),
  row(3n, { name: 'Shut Harbour', name_key: 'shut harbour', is_on: 0n }),
  row(4n, { is_on: 0n, loss_url: 'https://closed.example/bye?from=4' }),
  row(5n, { loss_url: 'https://closed.example/bye' }),
  ...FORBIDDEN_TARGETS.map((loss_url, place) => row(BigInt(100 + place), { is_on: 0n, loss_url })),
]
const fill = async ({ deployment }: Pick<PricedServer, 'deployment'>) => {
  await deployment.database.queries.insertInto('company').values(ROWS).execute()
}
const env = { FEED: 'ws://127.0.0.1:9', SETTING_LOSS_HOSTS: 'closed.example,other.example' }

describe.each(DATABASES)('the directory of companies, %s', (kind) => {
  const server = serverOn(kind, { env: { ...env, APP_MODE: 'main' } })
  const get = (path: string, token?: string | null) =>
    call(server(), `/api/company/${path}`, {
      headers: { lang: 'en', ...(token && { authorization: token }) },
    })
  const names = async (path: string) => dataOf<{ name: string }[]>(await get(path)).map(({ name }) => name)
  const statusOf = async (id: number | string) => (await get(`getCompanyStatus?id=${id}`)).body?.data

  beforeAll(() => fill(server()))

  test('shows visitors, demo and real accounts the same active companies by name, without internal fields', async () => {
    const tokens = [null, (await newTrader(server())).token, (await newUser(server())).token]
    for (const token of tokens) {
      const { body } = await get('getCompany', token)
      expect(body).toMatchObject({ code: 1, msg: 'Done' })
      expect(body?.data).toEqual([
        {
          id: 2,
          name: 'Ａlpha 100%',
          subject: 'Brokerage',
          logo: '',
          url: 'https://alpha.example',
          registered_address: '1 Quay',
          location: 'Hong Kong',
          email: 'a@a.example',
        },
        expect.objectContaining({ id: 5 }),
        expect.objectContaining({ id: 1, name: 'Harbour Ledger Ltd' }),
      ])
      expect((await get('search?name=harbour', token)).body?.data).toMatchObject([{ id: 1 }])
      expect((await get('getCompanyStatus?id=4', token)).body?.data).toMatchObject({ status: 1 })
    }
  })

  test.each([
    ['HARBOUR', ['Harbour Ledger Ltd']],
    ['%20ledger%20', ['Harbour Ledger Ltd']],
    ['%EF%BC%A1lpha', ['Ａlpha 100%']],
    ['100%25', ['Ａlpha 100%']],
    ['%27%3B%20drop%20table%20company%3B--', []],
    ['%00harbour', ['Harbour Ledger Ltd']],
    ['%3Cscript%3E', []],
  ])('finds %s in any case and width', async (name, found) => {
    expect(await names(`search?name=${name}`)).toEqual(found)
  })

  test('refuses a search longer than any name, and an invalid id', async () => {
    expect((await get(`search?name=${'x'.repeat(301)}`)).body).toMatchObject({ code: 0 })
    for (const id of ['0', '-1', '0x1', '1.5', 'a', '1e3', '9'.repeat(30)])
      expect((await get(`getCompanyStatus?id=${id}`)).body).toMatchObject({ code: 0 })
  })

  test('keeps visitors of an active or unknown company, of none, and of an inactive one without an address', async () => {
    const stays = { status: 0, loss_url: '' }
    for (const id of [1, 5, '']) expect(await statusOf(id)).toEqual({ ...stays, type: 0 })
    expect((await get('getCompanyStatus')).body?.data).toEqual({ ...stays, type: 0 })
    expect(await statusOf(3)).toEqual({ ...stays, type: 1 })
    for (const id of [99, Number.MAX_SAFE_INTEGER]) expect(await statusOf(id)).toEqual({ ...stays, type: 2 })
  })

  test('sends visitors of an inactive company to its address, if the host is listed', async () => {
    const leaves = { status: 1, type: 1, loss_url: 'https://closed.example/bye?from=4' }
    expect(await statusOf(4)).toEqual(leaves)
    expect(isAllowedTarget('https://closed.example:8443/', ['closed.example'])).toBe(true)
    expect(isAllowedTarget('https://closed.example/', [])).toBe(false)
  })

  test.each(FORBIDDEN_TARGETS.map((address, place) => [address, 100 + place] as const))(
    'does not send visitors to %j',
    async (_address, id) => {
      expect(await statusOf(id)).toEqual({ status: 0, type: 1, loss_url: '' })
    },
  )
})

describe.each(DATABASES)("a broker's deployment, %s", (kind) => {
  const server = serverOn(kind, { env })
  beforeAll(() => fill(server()))

  test('has no directory and sends no visitor away', async () => {
    for (const path of ['getCompany', 'search?name=harbour'])
      expect((await call(server(), `/api/company/${path}`)).body).toMatchObject({ code: 1, data: [] })
    const { body } = await call(server(), '/api/company/getCompanyStatus?id=4')
    expect(body?.data).toEqual({ status: 0, type: 0, loss_url: '' })
  })
})

describe.each(DATABASES)('a directory that has moved, %s', (kind) => {
  const server = serverOn(kind, {
    env: { ...env, APP_MODE: 'main' },
  })
  const move = (address: string) => server().deployment.liveSettings.change('main_loss_url', address)
  const status = async () => (await call(server(), '/api/company/getCompanyStatus')).body?.data

  test('sends all its visitors to the new address, as long as its host is listed', async () => {
    expect(await status()).toEqual({ status: 0, type: 0, loss_url: '' })
    move('https://closed.example/moved')
    expect(await status()).toEqual({ status: 1, type: 1, loss_url: 'https://closed.example/moved' })
    for (const lossUrl of ['https://elsewhere.example/', 'https://user:word@closed.example/']) {
      move(lossUrl)
      expect(await status()).toEqual({ status: 0, type: 1, loss_url: '' })
    }
  })
})
