import {
  COMPANY_ROWS,
  findCompanies,
  getBasicInfo,
  getCompanyStatus,
  listDirectory,
  type CompanyStatus,
  type ListedCompany,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { rememberCompany } from '../../live/device/company.ts'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { queryClient } from '../../live/requests/query-client.ts'
import { answer, failConnection, hold, inputsOf, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const company = (change: Partial<ListedCompany> = {}): ListedCompany => ({
  id: 7,
  name: 'Harbour <b>Ledger</b>',
  subject: 'Brokerage',
  logo: '',
  url: 'https://harbour.example/',
  registeredAddress: '1 Quay',
  location: 'Hong Kong',
  email: 'desk@harbour.example',
  ...change,
})
const open = { mustLeave: false, standing: 'open', redirectUrl: '' } as const

function answerDirectory(...companies: readonly ListedCompany[]): void {
  answer(getBasicInfo, sample.basicInfo({ appMode: 'main' }))
  answer(listDirectory, companies)
  answer(findCompanies, ({ name }) => companies.filter((row) => row.name.toLowerCase().includes(name)))
  answer(getCompanyStatus, open)
}

const row = (name: RegExp) => page.getByRole('list', { name: 'Companies' }).getByRole('button', { name })
const sheet = () => page.getByRole('dialog', { name: /^Harbour/ })

test('a company is found from the markets, shown with its details, chosen and left again', async () => {
  answerDirectory(company(), company({ id: 8, name: 'Alpha', url: '', email: '' }))
  await openApp('/')
  await page.getByRole('link', { name: 'Companies' }).click()
  await expect.element(page.getByRole('heading', { name: 'Companies' })).toBeVisible()
  await expect.poll(() => document.title).toBe('Companies · Fairlot')
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('harb')
  await expect.element(row(/Alpha/)).not.toBeInTheDocument()
  await row(/^Harbour/).click()
  await expect.element(sheet().getByText('Registered address')).toBeVisible()
  await expect
    .element(sheet().getByRole('link', { name: 'harbour.example', exact: true }))
    .toHaveAttribute('href', 'https://harbour.example/')
  await sheet().getByRole('button', { name: 'Choose this company' }).click()
  await expect.element(row(/^Harbour.*Yours/)).toBeVisible()
  expect(document.cookie).toContain('company_id=7')
  await row(/^Harbour/).click()
  await sheet().getByRole('button', { name: 'Remove as my company' }).click()
  await expect.element(row(/^Harbour.*Yours/)).not.toBeInTheDocument()
  expect(document.cookie).not.toContain('company_id')
})

test('a company is shown with its name, e-mail, website and both addresses', async () => {
  answerDirectory(company({ name: 'Harbour', subject: 'Brokerage' }))
  await openApp('/product')
  await row(/^Harbour/).click()
  for (const text of [
    /Main company\s*Harbour\s*Brokerage/,
    /Contact e-mail\s*desk@harbour\.example/,
    /Website\s*harbour\.example/,
    /Office address\s*Hong Kong/,
    /Registered address\s*1 Quay/,
  ])
    await expect.element(sheet()).toMatchTextContent(text)
})

test('an empty directory, no match and a failure each have their message', async () => {
  answerDirectory()
  failConnection(listDirectory)
  await openApp('/product')
  await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
  answer(listDirectory, [])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No company is listed yet')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('zz')
  await expect.element(page.getByText('No company matches “zz”')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.element(page.getByText('No company is listed yet')).toBeVisible()
  await expect.element(page.getByRole('searchbox', { name: 'Search companies' })).toHaveValue('')
})

test.each([
  ['closed', false, ''],
  ['unknown', false, ''],
  ['closed', true, 'javascript:document.title="theirs"'],
] as const)(
  'a company that is %s is forgotten, and no script is followed',
  async (standing, mustLeave, redirectUrl) => {
    answerDirectory(company())
    // The directory itself is open: that it were closed would be said in front of this.
    answer(getCompanyStatus, ({ companyId }) =>
      companyId === null ? open : { mustLeave, standing, redirectUrl },
    )
    rememberCompany(7)
    await openApp('/')
    await expect.element(notice(/no longer in the directory/)).toBeVisible()
    expect(document.cookie).not.toContain('company_id')
    expect(document.title).not.toBe('theirs')
  },
)

test('the list shows neither emptiness nor failure while loading, and the server’s message when rejected', async () => {
  answerDirectory()
  reject(listDirectory, 'tooManyRequests', 'Too many requests. Wait a minute.')
  const release = hold(listDirectory)
  await openApp('/product')
  await expect.element(page.getByRole('searchbox', { name: 'Search companies' })).toBeVisible()
  expect(page.getByRole('main').element().textContent).not.toMatch(/No company|could not/)
  release()
  await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
})

test('a loaded list stays when a refresh fails, and while the next search is running', async () => {
  answerDirectory(company(), company({ id: 8, name: 'Alpha' }))
  await openApp('/product')
  await expect.element(row(/Alpha/)).toBeVisible()
  failConnection(listDirectory)
  await queryClient.invalidateQueries({ queryKey: ['company', 'list'] })
  await settled()
  await expect.element(row(/Alpha/)).toBeVisible()
  const release = hold(findCompanies)
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('harb')
  await expect.element(row(/Alpha/)).toBeVisible()
  release()
  await expect.element(row(/Alpha/)).not.toBeInTheDocument()
  await expect.element(row(/^Harbour/)).toBeVisible()
})

test('a company with very long words fits a small phone, and its sheet leaves out empty details', async () => {
  const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(2)
  const url = `https://${'a'.repeat(60)}.example/`
  answerDirectory(
    company({
      name: `Harbour ${long}`,
      subject: long,
      location: long,
      url,
      email: `${'b'.repeat(70)}@c.example`,
    }),
    company({ id: 8, name: 'Alpha', subject: '', location: '', url: '', email: '', registeredAddress: '' }),
  )
  await openApp('/product', { size: [320, 640] })
  await expect.element(row(/^Harbour/)).toBeVisible()
  expect(overflowing()).toEqual([])
  await row(/^Harbour/).click()
  await expect.element(sheet().getByText('Registered address')).toBeVisible()
  expect(overflowing()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet()).not.toBeInTheDocument()
  await row(/^Alpha/).click()
  const alpha = page.getByRole('dialog', { name: 'Alpha' })
  await expect.element(alpha.getByRole('button', { name: 'Choose this company' })).toBeVisible()
  await expect.element(alpha).not.toMatchTextContent(/Website|Contact e-mail|address/)
})

test('a full page says that there are more', async () => {
  answerDirectory(
    ...Array.from({ length: COMPANY_ROWS }, (_, id) => company({ id: id + 1, name: `No. ${id}` })),
  )
  await openApp('/product')
  await expect.element(page.getByText(/^The first \d+ are shown/)).toBeVisible()
})

describe('the check of the whole directory', () => {
  const withStatus = (status: CompanyStatus) => {
    answerDirectory()
    answer(getCompanyStatus, status)
  }

  test('is made in main mode without a chosen company, and not in broker mode', async () => {
    await openApp('/')
    await settled()
    expect(inputsOf(getCompanyStatus)).toEqual([])
    withStatus(open)
    await queryClient.invalidateQueries({ queryKey: ['basicInfo'] })
    await expect.poll(() => inputsOf(getCompanyStatus)).toEqual([{ companyId: null }])
    expect(document.cookie).not.toContain('company_id')
  })

  test.each([
    ['a closed directory without an address', { mustLeave: false, standing: 'closed', redirectUrl: '' }],
    ['a status without an address', { mustLeave: true, standing: 'open', redirectUrl: '' }],
    ['an address that is a script', { mustLeave: true, standing: 'open', redirectUrl: 'javascript:0' }],
  ] as const)('says so for %s, and the app stays', async (_name, status) => {
    withStatus(status)
    await openApp('/')
    await expect.element(notice(/This directory is closed/)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Companies' })).toBeVisible()
  })

  test('that never answers does not block the app', async () => {
    withStatus(open)
    hold(getCompanyStatus)
    await openApp('/')
    await expect.poll(() => inputsOf(getCompanyStatus)).toHaveLength(1)
    await page.getByRole('link', { name: 'Companies' }).click()
    await expect.element(page.getByText('No company is listed yet')).toBeVisible()
  })
})
