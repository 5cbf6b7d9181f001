import { describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { serverOn } from '../testing/running-server.ts'

const get = async (server: { url: string }, path: string, lang = 'en') =>
  (await call(server, path, { headers: { lang } })).body

describe('a fresh deployment', () => {
  const server = serverOn('sqlite')

  test('shows its public settings', async () => {
    expect(await get(server(), '/api/basicSet/getBasicInfo')).toEqual({
      code: 1,
      msg: 'Done',
      data: {
        service_link: '',
        service_link_type: 1,
        verify_reg_type: 1,
        trade_fee_type: 2,
        credit_score: 100,
        app_mode: 'broker',
        card_link: '',
        currency: 'USD',
        risk_warning: expect.stringMatching(/^Trading with leverage can lose money quickly/),
        freshness_ms: 60_000,
        warning_level: 100,
        stop_out_level: 50,
        demo_balance: 100000,
        demo_balance_min: 100,
        demo_balance_max: 1000000,
        trading_mode: 'normal',
        trading_reason: '',
        recovery_reason: '',
        recovery_at: null,
        single_operator: 1,
        api_version: 1,
        passkey_domain: 'localhost',
        draw_needs_identity: 1,
        market_time: expect.toSatisfy((time) => Math.abs(Number(time) - Date.now()) < 60_000),
      },
    })
  })

  test('answers a request for one public setting', async () => {
    expect((await get(server(), '/api/default/setting?key=is_show_mobile'))?.data).toEqual({
      is_show_mobile: 1,
    })
  })

  test.each(['', 'key=', 'key=calls_burst', 'key=DATABASE_URL', 'key=__proto__', 'key=is_show_mobile&key=x'])(
    'rejects a request for any other setting: ?%s',
    async (query) => {
      const answer = await get(server(), `/api/default/setting?${query}`)
      expect(answer).toMatchObject({ code: 0, msg: 'There is no public setting of this name.' })
    },
  )
})

describe('settings fixed at the start', () => {
  const server = serverOn('sqlite', {
    env: {
      SETTING_FEE_TYPE: 'fixed',
      SETTING_DEMO_BALANCE: '2500.5',
      SETTING_REGISTRATION_MODE: 'mobile',
      SETTING_SERVICE_OPENS_IN: 'dialog',
      SETTING_SERVICE_LINK: 'https://help.example',
      APP_MODE: 'main',
    },
    prepare: async ({ database: { queries } }) => {
      const stored = [
        { name: 'fee_type', value: 'rate' },
        { name: 'credit_score', value: '70' },
      ]
      await queries.insertInto('setting').values(stored).execute()
    },
  })

  test('override stored settings, which override the defaults', async () => {
    expect((await get(server(), '/api/basicSet/getBasicInfo'))?.data).toMatchObject({
      trade_fee_type: 1,
      demo_balance: 2500.5,
      credit_score: 70,
      app_mode: 'main',
      service_link: 'https://help.example',
      service_link_type: 2,
      warning_level: 100,
    })
    expect((await get(server(), '/api/default/setting?key=is_show_mobile'))?.data).toEqual({
      is_show_mobile: 3,
    })
  })
})
