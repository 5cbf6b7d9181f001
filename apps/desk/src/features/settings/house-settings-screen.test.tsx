import { changeSetting, listSettingChanges, listSettings, type Setting } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, savedName, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, file } from '../../testing/fake-server.ts'

withFakeServer()

const setting = (change: Partial<Setting> = {}): Setting => ({
  ...{ name: 'registration_check', value: 'code', defaultValue: 'code', source: 'default' },
  ...{ form: 'choice', choices: ['code', 'captcha'] },
  ...change,
})
const fixed = setting({ name: 'credit_score', value: '90', source: 'fixed', form: 'number', choices: [] })

async function openSettings(options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answer(listSettings, ({ search }) => ({ settings: search === 'nothing' ? [] : [setting(), fixed] }))
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

test('a setting shows what it has been, and is changed with a reason', async () => {
  await openSettings()
  await page.getByRole('row', { name: /What they show/ }).click()
  await expect.element(page.getByText(/A. Admin: too hard/)).toBeVisible()
  await press('Change')
  await page.getByLabelText('Value').selectOptions('captcha')
  await page.getByLabelText('Reason').fill('robots')
  answer(changeSetting, setting({ value: 'captcha', source: 'stored' }))
  await press('Change')
  await expect.element(page.getByText('The setting is changed.').first()).toBeVisible()
  expect(asked(changeSetting)).toEqual([
    { name: 'registration_check', value: 'captcha', was: 'code', reason: 'robots' },
  ])
})

test('one that the environment fixes says so, and cannot be changed', async () => {
  await openSettings()
  await page.getByRole('row', { name: /Credit score/ }).click()
  await expect.element(page.getByText(/SETTING_CREDIT_SCORE/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Change' }).query()).toBe(null)
})

test('whoever may not change settings reads them', async () => {
  await openSettings({ as: self({ role: 'support' }) })
  await page.getByRole('row', { name: /What they show/ }).click()
  await expect.element(page.getByText(/too hard/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Change' }).query()).toBe(null)
})

test('they are found by the server, and what is open stays', async () => {
  await openSettings()
  await page.getByRole('row', { name: /Credit score/ }).click()
  await page.getByLabelText('Find a setting').fill('nothing')
  await expect.element(page.getByText('Nothing was found for “nothing”')).toBeVisible()
  expect(asked(listSettings).at(-1)).toEqual({ search: 'nothing' })
  await expect.element(page.getByText(/SETTING_CREDIT_SCORE/)).toBeVisible()
  file('/desk/api/settings.csv?search=nothing', 'name')
  // The second one is of what the open setting has been.
  const saveList = () => page.getByRole('button', { name: 'Export' }).first().click()
  expect(await savedName(saveList)).toBe('settings.csv')
})
