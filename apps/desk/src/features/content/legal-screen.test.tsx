import {
  addLegalVersion,
  getLegalVersion,
  listLegalVersions,
  type LegalVersion,
} from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, runsOut, self, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, hold, refuse } from '../../testing/fake-server.ts'

withFakeServer()

const version = (change: Partial<LegalVersion> = {}): LegalVersion => ({
  ...{ document: 'terms', version: '2026-11-01', effectiveAt: Date.UTC(2026, 10, 1), isInForce: true },
  ...{ writtenAt: Date.UTC(2026, 9, 20), writtenBy: 'C. Compliance', reason: 'a new law' },
  languages: ['en', 'hk'],
  ...change,
})
const TEXTS = {
  texts: [
    { language: 'en', body: 'One.\nTwo.' },
    { language: 'hk', body: '一。' },
  ],
} as const
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

test('the list says that it loads, that there is nothing, and why it could not be had', async () => {
  hold(listLegalVersions)
  const { unmount } = await openDesk('/content/legal')
  await expect.element(page.getByRole('status', { name: 'Legal texts: loading' })).toBeVisible()
  await unmount()
  refuse(listLegalVersions, 'engineUnavailable', 'The database is away.')
  await openDesk('/content/legal')
  await expect.element(page.getByText('The database is away.')).toBeVisible()
  answer(listLegalVersions, { versions: [] })
  await press('Try again')
  await expect.element(page.getByText('No legal texts yet')).toBeVisible()
})

test('a version opens with its words in each language, on a phone too, however long they are', async () => {
  const future = version({ version: LONG, isInForce: false, effectiveAt: Date.now() + 9e8, reason: LONG })
  answer(listLegalVersions, { versions: [future, version({ writtenBy: '', effectiveAt: 0 })] })
  answer(getLegalVersion, TEXTS)
  const { unmount } = await openDesk('/content/legal', { as: self({ role: 'support' }) })
  expect(page.getByRole('button', { name: 'New terms' }).query()).toBe(null)
  await page.getByRole('row', { name: /In force/ }).click()
  await settled()
  await expect.element(page.getByText(/with the software/)).toBeVisible()
  await expect.element(page.getByText(/One\.\s+Two\./)).toBeVisible()
  await page.getByLabelText('Language').selectOptions('Chinese')
  await expect.element(page.getByText('一。')).toBeVisible()
  refuse(getLegalVersion, 'contentNotFound', 'There is no such version.')
  await page.getByRole('row', { name: /To come/ }).click()
  await expect.element(page.getByText('There is no such version.')).toBeVisible()
  expect(runsOut()).toEqual([])
  await unmount()
  answer(getLegalVersion, { texts: [{ language: 'en', body: LONG }] })
  await openDesk('/content/legal', { size: PHONE })
  await page.getByText('To come').click()
  await expect.element(page.getByText('What people agree to')).toBeVisible()
  await settled()
  expect(runsOut()).toEqual([])
})

test('a new version begins with the latest words, and asks from when it holds and why', async () => {
  answer(listLegalVersions, { versions: [version()] })
  refuse(getLegalVersion, 'engineUnavailable', 'The database is away.')
  await openDesk('/content/legal/new/terms')
  // Words that did not come are no reason to begin with none.
  await expect.element(page.getByText('The database is away.')).toBeVisible()
  answer(getLegalVersion, TEXTS)
  await press('Try again')
  const words = page.getByLabelText('English', { exact: true })
  await expect.element(words).toHaveValue('One.\nTwo.')
  await words.fill(`One.\n${LONG}`)
  expect(runsOut()).toEqual([])
  await press('Put in force')
  await page.getByLabelText('Reason').fill('a new law')
  await press('Put in force')
  await expect.element(page.getByText('Say from when it holds.')).toBeVisible()
  await page.getByLabelText('Holds from (UTC)').fill('2026-12-01T00:00')
  refuse(addLegalVersion, 'formOutdated', 'Somebody has added a version.')
  await press('Put in force')
  await expect.element(page.getByText('Somebody has added a version.')).toBeVisible()
  answer(addLegalVersion, { version: '2026-12-01' })
  await press('Put in force')
  await expect.element(page.getByRole('grid', { name: 'Legal texts' })).toBeVisible()
  const texts = [{ language: 'en', body: `One.\n${LONG}` }, TEXTS.texts[1]]
  const effectiveAt = Date.UTC(2026, 11, 1)
  expect(asked(addLegalVersion).at(-1)).toEqual({
    ...{ document: 'terms', follows: '2026-11-01', effectiveAt, texts, reason: 'a new law' },
  })
})
