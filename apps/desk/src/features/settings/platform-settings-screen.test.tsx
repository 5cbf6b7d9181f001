import { changeSetting, listSettingChanges, listSettings, type Setting } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, savedName, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, file } from '../../testing/fake-server.ts'

withFakeServer()

const setting = (change: Partial<Setting> = {}): Setting => ({
  name: 'registration_check',
  value: 'code',
  defaultValue: 'code',
  source: 'default',
  form: 'choice',
  choices: ['code', 'captcha'],
  comingValue: null,
  comingAt: null,
  ...change,
})
const fixed = setting({ name: 'credit_score', value: '90', source: 'fixed', form: 'number', choices: [] })

async function openSettings(options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answer(listSettings, ({ search }) => ({ settings: search === 'unknown' ? [] : [setting(), fixed] }))
  const past = {
    at: Date.UTC(2026, 10, 2),
    by: 'A. Admin',
    before: 'captcha',
    after: 'code',
    reason: 'too hard',
  }
  answer(listSettingChanges, { changes: [past], total: 1 })
  await openDesk('/settings/house', options)
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()

test('a setting shows its history, and is changed with a reason', async () => {
  await openSettings()
  await page.getByRole('row', { name: /Check at registration/ }).click()
  await expect.element(page.getByText(/A. Admin: too hard/)).toBeVisible()
  await press('Change')
  await page.getByLabelText('Value').selectOptions('captcha')
  await page.getByLabelText('Reason').fill('robots')
  answer(changeSetting, { ...setting({ value: 'captcha', source: 'stored' }), approvalId: null })
  await press('Change')
  await expect.element(page.getByText('Setting changed.').first()).toBeVisible()
  expect(inputsOf(changeSetting)).toEqual([
    { name: 'registration_check', value: 'captcha', was: 'code', reason: 'robots' },
  ])
})

test('a setting about payouts says before and after the change that it needs a second operator', async () => {
  const wait = setting({
    name: 'payout_wait_hours',
    value: '48',
    defaultValue: '24',
    source: 'stored',
    form: 'number',
    choices: [],
  })
  await openSettings()
  answer(listSettings, { settings: [wait] })
  await page.getByLabelText('Find a setting').fill('hours')
  await page.getByRole('row', { name: /Hours until a new payout address/ }).click()
  await expect.element(page.getByText('Two operators')).toBeVisible()
  answer(changeSetting, { ...wait, approvalId: 7 })
  for (const name of ['Change', 'Back to default']) {
    await press(name)
    await expect.element(page.getByText(/needs a second operator/)).toBeVisible()
    if (name === 'Change') await page.getByLabelText('Value').fill('1')
    await page.getByLabelText('Reason').fill('a new rule')
    await press(name)
    await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
    await expect.element(page.getByLabelText('Reason')).not.toBeInTheDocument()
  }
  expect(inputsOf(changeSetting)).toMatchObject([
    { name: 'payout_wait_hours', value: '1', was: '48' },
    { name: 'payout_wait_hours', value: null, was: '48' },
  ])
})

test('an announced change shows the value and when it takes effect, and can be reverted', async () => {
  const wait = setting({
    name: 'payout_wait_hours',
    value: '24',
    form: 'number',
    choices: [],
    comingValue: '48',
    comingAt: Date.now() + 3_600_000,
  })
  await openSettings()
  answer(listSettings, { settings: [wait] })
  await page.getByLabelText('Find a setting').fill('hours')
  await page.getByRole('row', { name: /Hours until a new payout address/ }).click()
  await expect.element(page.getByText(/^From /)).toBeVisible()
  await expect.element(page.getByText('48', { exact: true })).toBeVisible()
  await press('Change')
  await page.getByLabelText('Reason').fill('no need of it')
  answer(changeSetting, { ...wait, approvalId: 8 })
  await press('Change')
  await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
  expect(inputsOf(changeSetting)).toMatchObject([{ name: 'payout_wait_hours', value: '24', was: '24' }])
})

test('a setting fixed by the environment says so, and cannot be changed', async () => {
  await openSettings()
  await page.getByRole('row', { name: /Credit score/ }).click()
  await expect.element(page.getByText(/SETTING_CREDIT_SCORE/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Change' }).query()).toBe(null)
})

test('settings are read-only for roles that may not change them', async () => {
  await openSettings({ as: self({ role: 'support' }) })
  await page.getByRole('row', { name: /Check at registration/ }).click()
  await expect.element(page.getByText(/too hard/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Change' }).query()).toBe(null)
})

test('settings are searched by the server, and the open one stays open', async () => {
  await openSettings()
  await page.getByRole('row', { name: /Credit score/ }).click()
  await page.getByLabelText('Find a setting').fill('unknown')
  await expect.element(page.getByText('No results for “unknown”')).toBeVisible()
  expect(inputsOf(listSettings).at(-1)).toEqual({ search: 'unknown' })
  await expect.element(page.getByText(/SETTING_CREDIT_SCORE/)).toBeVisible()
  file('/desk/api/settings.csv?search=unknown', 'name')
  // The second button exports the history of the open setting.
  const saveList = () => page.getByRole('button', { name: 'Export' }).first().click()
  expect(await savedName(saveList)).toBe('settings.csv')
})
