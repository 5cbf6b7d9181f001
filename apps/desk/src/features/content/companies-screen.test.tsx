import { listCompanies, saveCompany, type Company } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, runsOut, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, hold, refuse } from '../../testing/fake-server.ts'

withFakeServer()

const company = (change: Partial<Company> = {}): Company => ({
  ...{ id: 4, version: 2, changedAt: Date.UTC(2026, 10, 20), name: 'Kestrel Markets', subject: 'broker' },
  ...{ logo: '', url: 'https://kestrel.example', registeredAddress: '1 Quay', location: 'Valletta' },
  ...{ email: 'desk@kestrel.example', isOn: true, lossUrl: '' },
  ...change,
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

test('the directory says that it loads, that it is empty, and why it could not be had', async () => {
  hold(listCompanies)
  const { unmount } = await openDesk('/content/companies')
  await expect.element(page.getByRole('status', { name: 'Companies: loading' })).toBeVisible()
  await unmount()
  refuse(listCompanies, 'engineUnavailable', 'The database is away.')
  await openDesk('/content/companies')
  await expect.element(page.getByText('The database is away.')).toBeVisible()
  answer(listCompanies, { companies: [], total: 0 })
  await press('Try again')
  await expect.element(page.getByText('No company is listed')).toBeVisible()
})

test('a search without a hit says so, never that nothing is listed, and is cleared by one press', async () => {
  answer(listCompanies, ({ search }) => ({ companies: search === '' ? [company()] : [], total: 1 }))
  await openDesk('/content/companies', { size: PHONE })
  await page.getByLabelText('Find a company').fill('zz')
  await expect.element(page.getByText('Nothing was found for “zz”')).toBeVisible()
  expect(page.getByText('No company is listed').query()).toBe(null)
  await press('Clear the search')
  await expect.element(page.getByRole('button', { name: /Kestrel/ })).toBeVisible()
  await expect.element(page.getByLabelText('Find a company')).toHaveValue('')
})

test('a company opens beside the list and is only read by whoever may not write, however long its words', async () => {
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
  await expect.element(page.getByText('nowhere else')).toBeVisible()
  for (const name of ['Edit', 'Add']) expect(page.getByRole('button', { name }).query()).toBe(null)
  await page.getByLabelText('Find a company').fill('Donau')
  await expect.poll(() => asked(listCompanies).at(-1)?.search).toBe('Donau')
  await page.getByRole('row', { name: /Donau/ }).click()
  await settled()
  expect(runsOut()).toEqual([])
  await unmount()
  await openDesk('/content/companies', { size: PHONE })
  await page
    .getByRole('button', { name: new RegExp(LONG.slice(0, 30)) })
    .first()
    .click()
  await expect.element(page.getByText('Registered address')).toBeVisible()
  expect(runsOut()).toEqual([])
})

test('it is written with a reason, and what is refused stands in the form', async () => {
  answer(listCompanies, { companies: [company()], total: 1 })
  await openDesk('/content/companies')
  await press('Add')
  await page.getByLabelText('Reason').fill('asked to be listed')
  await press('Save')
  await expect.element(page.getByText('Say what it is called.')).toBeVisible()
  await press('Cancel')
  await page.getByRole('row', { name: /Kestrel/ }).click()
  await press('Edit')
  await page.getByLabelText('Where its visitors go once it is off').fill('https://other.example')
  await page.getByText('Shown in the directory').click()
  await page.getByLabelText('Reason').fill('closed')
  refuse(saveCompany, 'lossUrlRefused', 'This host is not on the list.', 'lossUrl')
  await press('Save')
  await expect.element(page.getByText('This host is not on the list.')).toBeVisible()
  answer(saveCompany, { id: 4, version: 3 })
  await press('Save')
  await expect.element(page.getByText('The company is saved.').first()).toBeVisible()
  const { id, version, name } = company()
  expect(asked(saveCompany).at(-1)).toMatchObject({
    ...{ id, version, name, isOn: false, lossUrl: 'https://other.example', reason: 'closed' },
  })
})
