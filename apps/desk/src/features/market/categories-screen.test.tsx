import { listDeskCategories, removeCategory, saveCategory, type DeskCategory } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, overflowing, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, leaveUnanswered, reject } from '../../testing/fake-server.ts'

withFakeServer()

const FOREX: DeskCategory = {
  id: 1,
  version: 3,
  code: 'Forex',
  instruments: 28,
  names: [
    { language: 'en', name: 'Currencies' },
    { language: 'hk', name: '外匯' },
  ],
}
const EMPTY: DeskCategory = {
  id: 7,
  version: 1,
  code: 'Exotics',
  instruments: 0,
  names: [],
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const field = (name: string) => page.getByLabelText(name, { exact: true })

test('shows the loading, empty and failed states', async () => {
  leaveUnanswered(listDeskCategories)
  const { unmount } = await openDesk('/market/categories')
  await expect.element(page.getByRole('status', { name: 'Categories: loading' })).toBeVisible()
  await unmount()
  reject(listDeskCategories, 'engineUnavailable', 'The database is not available.')
  await openDesk('/market/categories')
  await expect.element(page.getByText('The database is not available.')).toBeVisible()
  answer(listDeskCategories, { categories: [] })
  await press('Try again')
  await expect.element(page.getByText('No category yet')).toBeVisible()
})

test('a new category needs a code and a name, and is added after the last', async () => {
  answer(listDeskCategories, { categories: [FOREX] })
  await openDesk('/market/categories')
  await press('New')
  await field('Reason').fill('requested by users')
  await press('Save')
  await expect.element(field('Reason')).toHaveAccessibleDescription(/code first/)
  await field('Code').fill(' Exotics ')
  await press('Save')
  await expect.element(field('Reason')).toHaveAccessibleDescription(/at least one language/)
  await field('English').fill('Exotic pairs')
  await field('Japanese').fill('マイナー通貨')
  reject(saveCategory, 'categoryTaken', 'Another category is called that.', 'en')
  await press('Save')
  await expect
    .element(field('Reason'))
    .toHaveAccessibleDescription('English: Another category is called that.')
  answer(saveCategory, { id: 7, version: 1 })
  await press('Save')
  await expect.element(page.getByText(/Category saved/).first()).toBeVisible()
  expect(inputsOf(saveCategory).at(-1)).toEqual({
    id: null,
    version: 0,
    code: 'Exotics',
    behind: 1,
    reason: 'requested by users',
    names: [
      { language: 'en', name: 'Exotic pairs' },
      { language: 'jp', name: 'マイナー通貨' },
    ],
  })
})

test('a category is renamed and moved to the first position; only an empty one can be removed', async () => {
  answer(listDeskCategories, { categories: [FOREX, EMPTY] })
  await openDesk('/market/categories')
  await page.getByRole('row', { name: /Currencies/ }).click()
  await expect.element(page.getByText(/Move its instruments into other categories first/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Remove' }).query()).toBe(null)
  await page.getByRole('row', { name: /Exotics/ }).click()
  await press('Edit')
  await expect.element(field('Position')).toHaveDisplayValue('after Currencies')
  await field('Position').selectOptions('first')
  await field('English').fill('Rare')
  await field('Reason').fill('a better order')
  answer(saveCategory, { id: 7, version: 2 })
  await press('Save')
  await expect
    .poll(() => inputsOf(saveCategory).at(-1))
    .toMatchObject({
      id: 7,
      version: 1,
      code: 'Exotics',
      behind: null,
      names: [{ language: 'en', name: 'Rare' }],
    })
  await press('Remove')
  await field('Reason').fill('no longer traded')
  answer(removeCategory, null)
  await press('Remove')
  await expect.element(page.getByText('Category removed.').first()).toBeVisible()
  expect(inputsOf(removeCategory)).toEqual([{ id: 7, version: 1, reason: 'no longer traded' }])
})

test('categories are read-only for other roles, and long names fit a phone', async () => {
  const long = { ...FOREX, names: [{ language: 'en' as const, name: LONG }, ...FOREX.names.slice(1)] }
  answer(listDeskCategories, { categories: [long] })
  await openDesk('/market/categories', { as: self({ role: 'support' }), size: PHONE })
  await page
    .getByRole('button', { name: new RegExp(LONG.slice(0, 20)) })
    .first()
    .click()
  await expect.element(page.getByText('外匯')).toBeVisible()
  for (const name of ['New', 'Edit', 'Remove']) expect(page.getByRole('button', { name }).query()).toBe(null)
  await settled()
  expect(overflowing()).toEqual([])
})
