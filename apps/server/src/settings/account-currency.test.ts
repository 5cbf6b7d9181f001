import { expect, test } from 'vitest'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { startDeployment } from '../deployment.ts'
import { readConfig } from '../plugins/config.ts'
import { seedInstruments } from '../seed/seed.ts'
import { checkAccountCurrency } from './account-currency.ts'

const seeded = seedInstruments().map(({ instrument }) => instrument)

test.each(['USD', 'EUR', 'JPY', 'HKD'])('every instrument of the seed can be booked in %s', (currency) => {
  expect(() => checkAccountCurrency(currency, seeded)).not.toThrow()
})

test('a currency that only some instruments lead to is refused, and those switched off do not count', () => {
  const all = seeded.filter(({ code }) => ['EURUSD', 'GER40', 'USDJPY'].includes(code))
  const [, ...alone] = all.map((instrument) => ({ ...instrument, isEnabled: instrument.code === 'GER40' }))
  expect(() => checkAccountCurrency('JPY', all)).not.toThrow()
  expect(() => checkAccountCurrency('EUR', alone)).not.toThrow()
  expect(() => checkAccountCurrency('JPY', alone)).toThrow(/no pair leads from EUR, in which GER40/)
})

onEveryDatabase('a deployment', (databases) => {
  test('does not start with an account currency that no pair leads to, and says so', async () => {
    const { databaseUrl, dataDir } = await databases.place()
    const config = readConfig({
      DATABASE_URL: databaseUrl ?? '',
      DATA_DIR: dataDir || '.',
      SETTING_ACCOUNT_CURRENCY: 'XYZ',
    })
    if ('problem' in config) throw new Error(config.problem)
    await expect(startDeployment(config, () => undefined)).rejects.toThrow(
      /^The setting SETTING_ACCOUNT_CURRENCY is wrong: no pair leads from USD, in which \w+ is quoted, to XYZ\.$/,
    )
  })
})
