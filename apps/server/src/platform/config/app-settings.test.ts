import { SETTING_TITLES } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { loadAppSettings, rangeOf, SETTING_NAMES } from './app-settings.ts'

onEveryDatabase('without settings', (databases) => {
  test('the limits are the defaults of trading-rules §9', async () => {
    const { queries } = await databases.open()
    expect((await loadAppSettings(queries, {}, () => 0)).values).toMatchObject({
      demo_accounts_per_hour: 60,
      failed_logins_per_address: 100,
      calls_per_second: 20,
      calls_burst: 100,
      socket_handshakes_per_second: 200,
      sockets_per_address: 200,
    })
  })
})

test('every setting that is a number has a least and a most', () => {
  const ranges = SETTING_NAMES.flatMap((name) => rangeOf(name) ?? [])
  expect(ranges.length).toBeGreaterThan(50)
  expect(ranges.filter((end) => !Number.isFinite(end))).toEqual([])
})

onEveryDatabase('a number stored by an earlier release', (databases) => {
  test('beyond its range counts as the nearest end', async () => {
    const { queries } = await databases.open()
    const row = { value_before: null, holds_from: null }
    await queries
      .insertInto('setting')
      .values([
        { name: 'session_hours', value: '999999', ...row },
        { name: 'failed_logins_per_account', value: '1', ...row },
        { name: 'uploads_per_hour', value: '50', ...row },
      ])
      .execute()
    const { values } = await loadAppSettings(queries, {}, () => 0)
    expect(values).toMatchObject({ session_hours: 8_760, failed_logins_per_account: 2, uploads_per_hour: 50 })
  })
})

test('every setting has a title at the desk', () => {
  expect(SETTING_NAMES.filter((name) => !Object.hasOwn(SETTING_TITLES, name))).toEqual([])
})

onEveryDatabase('an invalid setting stops the start with a message that names it', (databases) => {
  test.each([
    ['demo_balanse', '5', 'There is no setting SETTING_DEMO_BALANSE.'],
    ['toString', '5', 'There is no setting SETTING_TOSTRING.'],
    ['fee_type', 'free', /^The setting SETTING_FEE_TYPE is wrong: .+\.$/],
    ['demo_balance', '-1', /^The setting SETTING_DEMO_BALANCE is wrong: must be an amount/],
    ['demo_balance', '1e9', /^The setting SETTING_DEMO_BALANCE is wrong: must be an amount/],
    ['terms_notice_hours', '-1', /^The setting SETTING_TERMS_NOTICE_HOURS is wrong: /],
    ['max_living_orders', '0', /^The setting SETTING_MAX_LIVING_ORDERS is wrong: /],
    ['account_currency', 'dollars', /^The setting SETTING_ACCOUNT_CURRENCY is wrong: /],
    [
      'calls_burst',
      '0',
      'The setting SETTING_CALLS_BURST is wrong: must be a whole number from 5 to 1000000.',
    ],
    [
      'payout_wait_hours',
      '721',
      /^The setting SETTING_PAYOUT_WAIT_HOURS is wrong: must be a whole number from 0/,
    ],
    ['session_hours', '1.5', /^The setting SETTING_SESSION_HOURS is wrong: must be a whole number from 1/],
    ['service_link', 'javascript:alert(1)', /^The setting SETTING_SERVICE_LINK is wrong: must be an http/],
    ['loss_hosts', 'https://a.example', /^The setting SETTING_LOSS_HOSTS is wrong: must be host names/],
    ['main_area', 'Hong Kong', /^The setting SETTING_MAIN_AREA is wrong: /],
    ['blocked_areas', 'KP;IL', /^The setting SETTING_BLOCKED_AREAS is wrong: must be country codes/],
    ['freshness_ms', 'soon', /^The setting SETTING_FRESHNESS_MS is wrong: /],
  ])('%s=%s', async (name, value, sentence) => {
    const { queries } = await databases.open()
    await expect(loadAppSettings(queries, { [name]: value }, () => 0)).rejects.toThrow(sentence)
  })
})
