import { listCompanies, saveCompany } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const COMPANY = {
  id: null,
  version: 0,
  name: 'Harbour Ledger Ltd',
  subject: 'Brokerage',
  logo: '',
  url: 'https://harbour.example',
  registeredAddress: '1 Quay',
  location: 'Hong Kong',
  email: 'desk@harbour.example',
  isOn: true,
  redirectUrl: '',
  reason: 'joined the directory',
}

describe.each(DATABASES)('companies, %s', (kind) => {
  const env = { FEED: 'ws://127.0.0.1:9', SETTING_LOSS_HOSTS: 'closed.example' }
  const server = serverOn(kind, { env })
  let administrator: AtDesk
  beforeAll(async () => {
    administrator = await atDesk(server(), 'administrator')
  })

  test('are found by name, changed and switched off', async () => {
    const saved = await administrator.request(saveCompany, COMPANY)
    const off = { ...COMPANY, ...saved, isOn: false, redirectUrl: 'https://closed.example/bye' }
    expect(await administrator.request(saveCompany, off)).toEqual({ id: saved.id, version: 2 })
    const { companies, total } = await administrator.request(listCompanies, { search: 'HARBOUR', page: 1 })
    expect(total).toBe(1)
    expect(companies).toMatchObject([
      { id: saved.id, isOn: false, redirectUrl: 'https://closed.example/bye' },
    ])
    expect(await administrator.refusalOf(saveCompany, off)).toBe('formOutdated')
    expect((await administrator.request(listCompanies, { search: 'nobody', page: 1 })).total).toBe(0)
  })

  test('have names as registers carry them, with single spaces, and are found by them', async () => {
    const name = '㈱ハーバー・レジャー (Asia)\u3000& A/S\u00a0 “Quay”'
    await administrator.request(saveCompany, { ...COMPANY, name })
    const found = await administrator.request(listCompanies, {
      search: '(asia)\u00a0& a/s\u3000“quay”',
      page: 1,
    })
    expect(found.companies.map((company) => company.name)).toEqual([
      '㈱ハーバー・レジャー (Asia) & A/S “Quay”',
    ])
  })

  test.each([
    [{ redirectUrl: 'https://elsewhere.example' }, 'lossUrlRefused'],
    [{ redirectUrl: 'http://closed.example' }, 'lossUrlRefused'],
    [{ redirectUrl: 'https://closed.example@elsewhere.example' }, 'lossUrlRefused'],
    [{ redirectUrl: 'https://closed.example.elsewhere.example' }, 'lossUrlRefused'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'lossUrlRefused'],
    [{ url: 'javascript:alert(1)' }, 'companyInvalid'],
    [{ logo: 'https://elsewhere.example/pixel.png' }, 'companyInvalid'],
    [{ email: 'nobody' }, 'companyInvalid'],
    [{ name: ' ' }, 'companyInvalid'],
    [{ name: '\u3000\u00a0' }, 'companyInvalid'],
    [{ name: 'Harbour \u202edtL' }, 'nameInvalid'],
    [{ name: 'Harbour\u0000' }, 'nameInvalid'],
    [{ name: 'Harbour 🚢' }, 'nameInvalid'],
    [{ name: 'x'.repeat(10_000) }, 'contentTooLong'],
    [{ subject: 'x'.repeat(301) }, 'contentTooLong'],
    [{ reason: '' }, 'reasonMissing'],
    [{ id: 999, version: 1 }, 'contentNotFound'],
  ])('%j is refused', async (given, reason) => {
    expect(await administrator.refusalOf(saveCompany, { ...COMPANY, ...given })).toBe(reason)
  })
})
