import { listCompanies, saveCompany, type Company } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, overflowing, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, leaveUnanswered, reject } from '../../testing/fake-server.ts'

withFakeServer()

const company = (change: Partial<Company> = {}): Company => ({
  id: 4,
  version: 2,
  changedAt: Date.UTC(2026, 10, 20),
  name: 'Kestrel Markets',
  subject: 'broker',
  logo: '',
  url: 'https://kestrel.example',
  registeredAddress: '1 Quay',
  location: 'Valletta',
  email: 'desk@kestrel.example',
  isOn: true,
  redirectUrl: '',
  ...change,
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

test('shows the loading, empty and failed states', async () => {
  leaveUnanswered(listCompanies)
  const { unmount } = await openDesk('/content/companies')
  await expect.element(page.getByRole('status', { name: 'Companies: loading' })).toBeVisible()
  await unmount()
  reject(listCompanies, 'engineUnavailable', 'The database is not available.')
  await openDesk('/content/companies')
  await expect.element(page.getByText('The database is not available.')).toBeVisible()
  answer(listCompanies, { companies: [], total: 0 })
  await press('Try again')
  await expect.element(page.getByText('No company is listed')).toBeVisible()
})

test('a search without results says so, not that the directory is empty, and can be cleared', async () => {
  answer(listCompanies, ({ search }) => ({ companies: search === '' ? [company()] : [], total: 1 }))
  await openDesk('/content/companies', { size: PHONE })
  await page.getByLabelText('Find a company').fill('zz')
  await expect.element(page.getByText('No results for “zz”')).toBeVisible()
  expect(page.getByText('No company is listed').query()).toBe(null)
  await press('Clear the search')
  await expect.element(page.getByRole('button', { name: /Kestrel/ })).toBeVisible()
  await expect.element(page.getByLabelText('Find a company')).toHaveValue('')
})

test('a company opens beside the list, is read-only for other roles, and long texts do not overflow', async () => {
  const long = company({
    id: 5,
    name: LONG,
    subject: LONG,
    registeredAddress: LONG,
    url: `https://${LONG}.example`,
  })
  answer(listCompanies, ({ search }) => ({ companies: search === '' ? [company(), long] : [long], total: 2 }))
  const { unmount } = await openDesk('/content/companies', { as: self({ role: 'dealing' }) })
  await page.getByRole('row', { name: /Kestrel/ }).click()
  await expect.element(page.getByText('desk@kestrel.example')).toBeVisible()
  await expect.element(page.getByText('no other site')).toBeVisible()
  for (const name of ['Edit', 'Add']) expect(page.getByRole('button', { name }).query()).toBe(null)
  await page.getByLabelText('Find a company').fill('Donau')
  await expect.poll(() => inputsOf(listCompanies).at(-1)?.search).toBe('Donau')
  await page.getByRole('row', { name: /Donau/ }).click()
  await settled()
  expect(overflowing()).toEqual([])
  await unmount()
  await openDesk('/content/companies', { size: PHONE })
  await page
    .getByRole('button', { name: new RegExp(LONG.slice(0, 30)) })
    .first()
    .click()
  await expect.element(page.getByText('Registered address')).toBeVisible()
  expect(overflowing()).toEqual([])
})

test('a company is saved with a reason, and a rejection is shown in the form', async () => {
  answer(listCompanies, { companies: [company()], total: 1 })
  await openDesk('/content/companies')
  await press('Add')
  await page.getByLabelText('Reason').fill('requested a listing')
  await press('Save')
  await expect.element(page.getByText('Enter a name.')).toBeVisible()
  await press('Cancel')
  await page.getByRole('row', { name: /Kestrel/ }).click()
  await press('Edit')
  await page.getByLabelText('Redirect visitors to, when switched off').fill('https://other.example')
  await page.getByText('Shown in the directory').click()
  await page.getByLabelText('Reason').fill('closed')
  reject(saveCompany, 'lossUrlRefused', 'This host is not on the list.', 'lossUrl')
  await press('Save')
  await expect.element(page.getByText('This host is not on the list.')).toBeVisible()
  answer(saveCompany, { id: 4, version: 3 })
  await press('Save')
  await expect.element(page.getByText('Company saved.').first()).toBeVisible()
  const { id, version, name } = company()
  expect(inputsOf(saveCompany).at(-1)).toMatchObject({
    id,
    version,
    name,
    isOn: false,
    redirectUrl: 'https://other.example',
    reason: 'closed',
  })
})
