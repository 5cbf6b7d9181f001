import { expect, test } from 'vitest'
import { DEFAULT_TRADING_SETTINGS, readTradingSettings } from './trading-settings.ts'

test('the defaults are those of trading-rules §2, §3, §4 and §10', () => {
  expect(DEFAULT_TRADING_SETTINGS).toEqual({
    accountCurrency: 'USD',
    feeType: 'rate',
    demoBalance: 100_000_000_000n,
    freshnessMs: 5_000,
    warningLevel: 100,
    stopOutLevel: 50,
    maxLivingOrders: 500,
    noticeMs: 24 * 3_600_000,
    fourEyesLimit: 10_000_000_000n,
    fourEyesOperatorLimit: 100_000_000_000n,
  })
})

test('given settings are converted to the units of the core, without defaults for others', () => {
  const given = { demo_balance: '2500.5', terms_notice_hours: '1.5', four_eyes_limit: '0', calls_burst: '5' }
  expect(readTradingSettings(given)).toEqual({
    demoBalance: 2_500_500_000n,
    noticeMs: 5_400_000,
    fourEyesLimit: 0n,
  })
  expect(readTradingSettings({})).toEqual({})
})
