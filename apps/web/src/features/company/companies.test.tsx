import {
  COMPANY_ROWS,
  findCompanies,
  getBasicInfo,
  getCompanyStatus,
  listDirectory,
  type ListedCompany,
} from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sticksOut } from '../../../../../testing/sticks-out.ts'
import { rememberCompany } from '../../live/device/company.ts'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { queryClient } from '../../live/requests/query-client.ts'
import { answer, cut, hold, refuse } from '../../testing/fake-server.ts'
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

test('the list on its way is neither empty nor failed; refused it has the server’s sentence', async () => {
  answerDirectory()
  refuse(listDirectory, 'tooManyRequests', 'Too many requests. Wait a minute.')
  const release = hold(listDirectory)
  await openApp('/product')
  await expect.element(page.getByRole('searchbox', { name: 'Search companies' })).toBeVisible()
  expect(page.getByRole('main').element().textContent).not.toMatch(/No company|could not/)
  release()
  await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
})

test('a list that is there stays when it cannot be fetched anew, and while the next is searched for', async () => {
  answerDirectory(company(), company({ id: 8, name: 'Alpha' }))
  await openApp('/product')
  await expect.element(row(/Alpha/)).toBeVisible()
  cut(listDirectory)
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

test('a company with very long words fits a small phone, and its sheet leaves out what nobody has written', async () => {
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
  expect(sticksOut()).toEqual([])
  await row(/^Harbour/).click()
  await expect.element(sheet().getByText('Registered address')).toBeVisible()
  expect(sticksOut()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet()).not.toBeInTheDocument()
  await row(/^Alpha/).click()
  const alpha = page.getByRole('dialog', { name: 'Alpha' })
  await expect.element(alpha.getByRole('button', { name: 'Choose this company' })).toBeVisible()
  await expect.element(alpha).not.toMatchTextContent(/Website|Contact e-mail|address/)
})

test('as many as a page holds are said to be not all', async () => {
  answerDirectory(
    ...Array.from({ length: COMPANY_ROWS }, (_, id) => company({ id: id + 1, name: `No. ${id}` })),
  )
  await openApp('/product')
  await expect.element(page.getByText(/^The first \d+ are shown/)).toBeVisible()
})
