import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const problemWith = (variables: Record<string, string>): string => {
  const config = readConfig(variables)
  return 'problem' in config ? config.problem : ''
}

test('without environment variables every setting has its default', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    dataDir: './data',
    databaseUrl: null,
    feed: 'auto',
    marketHours: null,
    publicUrl: null,
    appMode: 'broker',
    trustProxy: null,
    smtpUrl: null,
    mailFrom: 'no-reply@localhost',
    smsUrl: null,
    deskPassword: null,
    s3Url: null,
    dataKey: null,
    dataKeyOld: null,
    pushToLoopback: false,
    passkeys: { domain: 'localhost', origins: ['http://localhost:8080'] },
    logLevel: 'warn',
    fixedSettings: {},
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', FEED: '', TRUST_PROXY: '' })).toEqual(readConfig({}))
})

describe('an invalid setting stops the start with a message that names it', () => {
  test.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['MARKET_HOURS', 'sometimes'],
    ['PUBLIC_URL', 'example.com'],
    ['APP_MODE', 'casino'],
    ['LOG_LEVEL', 'loud'],
    ['DATA_KEY', 'a short one'],
    ['DATA_KEY', 'A'.repeat(44)],
    ['DATA_KEY_OLD', 'a short one'],
    ['SMTP_URL', 'http://mail.example'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'Desk <desk@mail.example>\r\nBcc: x@y.example'],
    ['SMS_URL', 'ftp://gateway.example'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', '127.0.0.1,'],
    ['TRUST_PROXY', '::1/129'],
  ])('%s=%s', (name, value) => {
    expect(problemWith({ [name]: value })).toMatch(new RegExp(`^The setting ${name} is wrong: .+\\.$`))
  })
})

test('the message never shows the value, which may contain a password', () => {
  expect(problemWith({ DATABASE_URL: 'postgress://fairlot:hunter2@db/fairlot' })).not.toContain('hunter2')
})

test('proxies are given as addresses, networks or names of private ranges', () => {
  expect(readConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8,::1,fd00::/8' })).toMatchObject({
    trustProxy: ['loopback', '10.0.0.0/8', '::1', 'fd00::/8'],
  })
})

test('application settings are fixed at the start by name', () => {
  expect(readConfig({ SETTING_FEE_TYPE: 'fixed', SETTING_DEMO_BALANCE: '5', OTHER: 'x' })).toMatchObject({
    fixedSettings: { fee_type: 'fixed', demo_balance: '5' },
  })
})
