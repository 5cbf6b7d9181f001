import {
  findCompanies,
  getBasicInfo,
  getCompanyStatus,
  listDirectory,
  type ListedCompany,
} from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { rememberCompany } from '../../live/device/company.ts'
import { notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, cut } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const company = (change: Partial<ListedCompany> = {}): ListedCompany => ({
  ...{ id: 7, name: 'Harbour <b>Ledger</b>', subject: 'Brokerage', logo: '' },
  ...{ url: 'https://harbour.example/', registeredAddress: '1 Quay', location: 'Hong Kong' },
  ...{ email: 'desk@harbour.example', ...change },
})
const open = { mustLeave: false, standing: 'open', lossUrl: '' } as const

function answerDirectory(...companies: readonly ListedCompany[]): void {
  answer(getBasicInfo, sample.basicInfo({ appMode: 'main' }))
  answer(listDirectory, companies)
  answer(findCompanies, ({ name }) => companies.filter((row) => row.name.toLowerCase().includes(name)))
  answer(getCompanyStatus, open)
}

const row = (name: RegExp) => page.getByRole('list', { name: 'Companies' }).getByRole('button', { name })
const sheet = () => page.getByRole('dialog', { name: /^Harbour/ })

test('a company is found from the markets, shown with what is known, chosen and left again', async () => {
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
  await sheet().getByRole('button', { name: 'No longer my company' }).click()
  await expect.element(row(/^Harbour.*Yours/)).not.toBeInTheDocument()
  expect(document.cookie).not.toContain('company_id')
})

test('what is not there, not found or not to be had is said', async () => {
  answerDirectory()
  cut(listDirectory)
  await openApp('/product')
  await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
  answer(listDirectory, [])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No company is listed yet')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('zz')
  await expect.element(page.getByText('No company is called “zz”')).toBeVisible()
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
  async (standing, mustLeave, lossUrl) => {
    answerDirectory(company())
    answer(getCompanyStatus, { mustLeave, standing, lossUrl })
    rememberCompany(7)
    await openApp('/')
    await expect.element(notice(/not in the directory any more/)).toBeVisible()
    expect(document.cookie).not.toContain('company_id')
    expect(document.title).not.toBe('theirs')
  },
)
