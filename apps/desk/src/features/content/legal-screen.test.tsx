import {
  addLegalVersion,
  getLegalVersion,
  listLegalVersions,
  type LegalVersion,
} from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  logInAgain,
  LONG,
  openDesk,
  PHONE,
  overflowing,
  self,
  settled,
  withFakeServer,
} from '../../testing/app.tsx'
import { logOut } from '../../live/session.ts'
import { answer, inputsOf, leaveUnanswered, reject } from '../../testing/fake-server.ts'

withFakeServer()

const version = (change: Partial<LegalVersion> = {}): LegalVersion => ({
  document: 'terms',
  version: '2026-11-01',
  effectiveAt: Date.UTC(2026, 10, 1),
  isInForce: true,
  writtenAt: Date.UTC(2026, 9, 20),
  writtenBy: 'C. Compliance',
  reason: 'a new law',
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

test('shows the loading, empty and failed states', async () => {
  leaveUnanswered(listLegalVersions)
  const { unmount } = await openDesk('/content/legal')
  await expect.element(page.getByRole('status', { name: 'Legal texts: loading' })).toBeVisible()
  await unmount()
  reject(listLegalVersions, 'engineUnavailable', 'The database is not available.')
  await openDesk('/content/legal')
  await expect.element(page.getByText('The database is not available.')).toBeVisible()
  answer(listLegalVersions, { versions: [] })
  await press('Try again')
  await expect.element(page.getByText('No legal texts yet')).toBeVisible()
})

test('a version shows its text in each language, and long texts fit a phone', async () => {
  const future = version({ version: LONG, isInForce: false, effectiveAt: Date.now() + 9e8, reason: LONG })
  answer(listLegalVersions, { versions: [future, version({ writtenBy: '', effectiveAt: 0 })] })
  answer(getLegalVersion, TEXTS)
  const { unmount } = await openDesk('/content/legal', { as: self({ role: 'support' }) })
  expect(page.getByRole('button', { name: 'New terms' }).query()).toBe(null)
  await page.getByRole('row', { name: /In force/ }).click()
  await settled()
  await expect.element(page.getByText(/default text/)).toBeVisible()
  await expect.element(page.getByText(/One\.\s+Two\./)).toBeVisible()
  await page.getByLabelText('Language').selectOptions('Chinese')
  await expect.element(page.getByText('一。')).toBeVisible()
  reject(getLegalVersion, 'contentNotFound', 'There is no such version.')
  await page.getByRole('row', { name: /Upcoming/ }).click()
  await expect.element(page.getByText('There is no such version.')).toBeVisible()
  expect(overflowing()).toEqual([])
  await unmount()
  answer(getLegalVersion, { texts: [{ language: 'en', body: LONG }] })
  await openDesk('/content/legal', { size: PHONE })
  await page.getByText('Upcoming').click()
  await expect.element(page.getByText('What users agree to')).toBeVisible()
  await settled()
  expect(overflowing()).toEqual([])
})

test('a new version starts from the latest text, and needs a date and a reason', async () => {
  answer(listLegalVersions, { versions: [version()] })
  reject(getLegalVersion, 'engineUnavailable', 'The database is not available.')
  await openDesk('/content/legal/new/terms')
  // A text that failed to load must not become an empty form.
  await expect.element(page.getByText('The database is not available.')).toBeVisible()
  answer(getLegalVersion, TEXTS)
  await press('Try again')
  const text = page.getByLabelText('English', { exact: true })
  await expect.element(text).toHaveValue('One.\nTwo.')
  await text.fill(`One.\n${LONG}`)
  expect(overflowing()).toEqual([])
  await press('Publish version')
  await page.getByLabelText('Reason').fill('a new law')
  await press('Publish version')
  await expect.element(page.getByText('Enter when it takes effect.')).toBeVisible()
  await page.getByLabelText('Effective from (UTC)').fill('2026-12-01T00:00')
  reject(addLegalVersion, 'formOutdated', 'Another operator has added a version.')
  await press('Publish version')
  await expect.element(page.getByText('Another operator has added a version.')).toBeVisible()
  answer(addLegalVersion, { version: '2026-12-01' })
  await press('Publish version')
  await expect.element(page.getByRole('grid', { name: 'Legal texts' })).toBeVisible()
  const texts = [{ language: 'en', body: `One.\n${LONG}` }, TEXTS.texts[1]]
  const effectiveAt = Date.UTC(2026, 11, 1)
  expect(inputsOf(addLegalVersion).at(-1)).toEqual({
    document: 'terms',
    follows: '2026-11-01',
    effectiveAt,
    texts,
    reason: 'a new law',
  })
})

test('a half-written version is there again after a log-out for inactivity, and still follows its version', async () => {
  answer(listLegalVersions, { versions: [version()] })
  answer(getLegalVersion, TEXTS)
  await openDesk('/content/legal/new/terms')
  const text = page.getByLabelText('English', { exact: true })
  await text.fill('One, half-written')
  await logOut('idle')
  await expect
    .element(page.getByText(/You were logged out because you were inactive\. What you/))
    .toBeVisible()
  answer(listLegalVersions, { versions: [version({ version: '2026-11-20' })] })
  await logInAgain()
  await expect.element(text).toHaveValue('One, half-written')
  await expect.element(page.getByText(/It replaces version 2026-11-01/)).toBeVisible()
})
