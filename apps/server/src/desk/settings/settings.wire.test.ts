import { getBasicInfo, getSetting, getSupportEmail, listCountries } from '@fairlot/contract'
import { changeSetting, listSettingChanges, listSettings } from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

describe.each(DATABASES)('settings, %s', (kind) => {
  const env = { FEED: 'ws://127.0.0.1:9', SETTING_CREDIT_SCORE: '90' }
  const server = serverOn(kind, { env })
  let administrator: AtDesk
  beforeAll(async () => {
    administrator = await atDesk(server(), 'administrator')
  })
  const settingCalled = async (name: string) =>
    (await administrator.ask(listSettings, { search: '' })).settings.find((setting) => setting.name === name)
  const change = async (name: string, value: string | null) =>
    administrator.try(changeSetting, {
      ...{ name, value, was: (await settingCalled(name))?.value ?? '', reason: 'a rule of the house' },
    })
  const visitor = () => clientOf(server().url)

  test('say their value, default, and where it comes from', async () => {
    expect(await settingCalled('credit_score')).toMatchObject({
      value: '90',
      defaultValue: '100',
      source: 'fixed',
    })
    expect(await settingCalled('registration_check')).toMatchObject({
      ...{ value: 'code', source: 'default', form: 'choice', choices: ['code', 'captcha'] },
    })
    expect(await settingCalled('blocked_areas')).toMatchObject({ value: 'KP,IL,CN,VU,CU', form: 'list' })
    expect((await settingCalled('freshness_ms'))?.name).toBeUndefined()
  })

  test('change at once, go back to their default, and remember what they were', async () => {
    expect(await change('registration_mode', 'mobile')).toMatchObject({
      value: { value: 'mobile', source: 'stored' },
    })
    expect(await visitor().call(getSetting, { key: 'registrationMode' })).toMatchObject({
      value: { registrationMode: 'mobile' },
    })
    expect(await change('registration_mode', null)).toMatchObject({ value: { source: 'default' } })
    expect(await visitor().call(getSetting, { key: 'registrationMode' })).toMatchObject({
      value: { registrationMode: 'emailOrMobile' },
    })
    const past = await administrator.ask(listSettingChanges, { name: 'registration_mode', page: 1 })
    expect(past.changes.map(({ before, after, by }) => [before, after, by])).toEqual([
      ['mobile', 'emailOrMobile', administrator.name],
      ['emailOrMobile', 'mobile', administrator.name],
    ])
  })

  test('are read anew wherever they count: links, countries, sessions', async () => {
    await change('service_link', 'https://help.example')
    expect(await visitor().call(getBasicInfo, null)).toMatchObject({
      value: { serviceLink: 'https://help.example' },
    })
    await change('blocked_areas', 'KP,FR')
    const countries = await visitor().call(listCountries, null)
    const blocked = countries.ok ? countries.value.filter(({ isBlocked }) => isBlocked) : []
    expect(blocked.map(({ code }) => code).toSorted()).toEqual(['FR', 'KP'])
    await change('session_idle_hours', '1')
    expect(server().deployment.settings.session_idle_hours).toBe(1)
  })

  test('tell everybody at once where complaints go, and why an address is none', async () => {
    const told = () => visitor().call(getSupportEmail, null)
    expect(await told()).toMatchObject({ value: { email: '' } })
    await change('support_email', ' care@house.example ')
    expect(await told()).toMatchObject({ value: { email: 'care@house.example' } })
    expect(await change('support_email', 'care at house')).toMatchObject({
      message: 'This value cannot be taken: must be one e-mail address.',
    })
    await change('support_email', null)
    expect(await told()).toMatchObject({ value: { email: '' } })
  })

  test.each([
    ['credit_score', '50', 'settingFixed'],
    ['session_idle_hours', '0', 'settingInvalid'],
    ['session_idle_hours', 'many', 'settingInvalid'],
    ['calls_per_second', '10', 'settingFixed'],
    ['registration_check', 'none', 'settingInvalid'],
    ['service_link', 'javascript:alert(1)', 'settingInvalid'],
    ['support_email', 'nobody', 'settingInvalid'],
    ['support_email', 'a@house.example, b@house.example', 'settingInvalid'],
    ['support_email', 'a@house.example,', 'settingInvalid'],
    ['main_area', 'XX', 'settingInvalid'],
    ['blocked_areas', 'CU,XX', 'settingInvalid'],
    ['loss_hosts', 'https://x', 'settingInvalid'],
    ['fee_type', 'fixed', 'unknownSetting'],
    ['toString', '1', 'unknownSetting'],
  ])('%s = %s is refused, and nothing changes', async (name, value, reason) => {
    const before = await administrator.ask(listSettings, { search: '' })
    expect(await change(name, value)).toMatchObject({ reason })
    expect(await administrator.ask(listSettings, { search: '' })).toEqual(before)
  })

  test('of two changes from the same form the second is refused', async () => {
    const form = { name: 'session_hours', value: '24', was: '720', reason: 'shorter' }
    const outcomes = await Promise.all([0, 1].map(() => administrator.refusalOf(changeSetting, form)))
    expect(outcomes.filter(Boolean)).toEqual(['formOutdated'])
  })

  test('a change asks for a reason', async () => {
    const form = { name: 'session_idle_hours', value: '30', was: '168', reason: ' ' }
    expect(await administrator.refusalOf(changeSetting, form)).toBe('reasonMissing')
  })
})
